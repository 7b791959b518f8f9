/** What a test can tell that cannot be seen from outside the client. */
export const OBSERVABLE = ['webhook.processed', 'output.kept'] as const
/** Something that only the client, or its test, knows. */
export type Observable = (typeof OBSERVABLE)[number]

/** What more is to be said of an observation. */
export interface ObservedDetails {
  /** The task that it is about. */
  readonly taskId: string
  /** Who processed a webhook, where several parts of a client get the same ones. */
  readonly by?: string | undefined
  /** What was kept of an output: its URL, or the file itself. */
  readonly as?: 'url' | 'file' | undefined
}

/** Something that the client under test has done, told by the test. */
export interface Observation extends ObservedDetails {
  /** What was done. */
  readonly what: Observable
}
