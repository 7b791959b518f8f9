import { checkOptionNames, describeValue, type OptionNames, UsageError } from './errors.js'
import { suggest } from './suggest.js'

/** The actions inside the client, which the test must report because the simulator cannot see them. */
export const OBSERVABLE = ['webhook.processed', 'output.kept'] as const
/** An action inside the client. */
export type Observable = (typeof OBSERVABLE)[number]

/** The details of an observation. */
export interface ObservedDetails {
  /** The affected task. */
  readonly taskId: string
  /** The part of the client that processed a webhook, if several parts receive the same webhooks. */
  readonly by?: string | undefined
  /** Whether the client stored the URL of an output or the file itself. */
  readonly as?: 'url' | 'file' | undefined
}

/** An action of the client under test, reported by the test. */
export interface Observation extends ObservedDetails {
  /** The action. */
  readonly what: Observable
}

const DETAILS: OptionNames<ObservedDetails> = { taskId: true, by: true, as: true }

/**
 * Checks an observation, for callers without TypeScript.
 * @throws UsageError if there is no such action, or its details are unusable
 */
export function checkObservation(what: string, details: ObservedDetails): void {
  if (!OBSERVABLE.some((action) => action === what))
    throw new UsageError(
      `observe() knows no action ${describeValue(what)}: ${suggest(String(what), OBSERVABLE)}`,
    )
  checkOptionNames('observe', details, DETAILS)
  if (typeof details.taskId !== 'string')
    throw new UsageError(`observe() expects \`taskId\` to be a string, got ${describeValue(details.taskId)}`)
}
