/** The actions that only the client knows, so that the test must report them. */
export const OBSERVABLE = ['webhook.processed', 'output.kept'] as const
/** An action that only the client knows. */
export type Observable = (typeof OBSERVABLE)[number]

/** The details of an observation. */
export interface ObservedDetails {
  /** The affected task. */
  readonly taskId: string
  /** The part of the client that processed a webhook, if several parts receive the same ones. */
  readonly by?: string | undefined
  /** What the client stored of an output: its URL, or the file itself. */
  readonly as?: 'url' | 'file' | undefined
}

/** An action of the client under test, reported by the test. */
export interface Observation extends ObservedDetails {
  /** The action. */
  readonly what: Observable
}
