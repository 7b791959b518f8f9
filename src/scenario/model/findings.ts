import type { Kind } from '../../engine/tasks/task.js'

/** From where on something counts as a mistake. Times are milliseconds. */
export interface Thresholds {
  /** The shortest time between two polls of a task, by its kind. */
  readonly poll_interval: Readonly<Record<Kind, number>>
  /** The share by which a client may be faster than it should. */
  readonly tolerance: number
  /** How many polls of one task must be too fast. */
  readonly fast_polls: number
  /** How many looks at a finished task in a row are still fine. */
  readonly polls_after_end: number
  /** How long after its creation a task may still be polled. */
  readonly longest_wait: number
  /** After this many failed polls in a row a client may give a task up. */
  readonly failed_polls: number
  /** Within this time the same request is a repetition of the one before. */
  readonly retry_within: number
  /** When nothing has come for so long, nothing is expected any more. */
  readonly silence: number
  /** How often the same file may be downloaded. */
  readonly downloads: number
  /** How long a receiver may take to acknowledge a webhook, in real time. */
  readonly webhook_answer: number
}

/** What a scenario says of findings. */
export interface FindingSettings {
  /** Rules that are not looked at. */
  readonly ignore: readonly string[]
  readonly thresholds: Thresholds
}

/** The intervals are those that the service recommends; the rest leaves room for clients that are merely careful. */
export const DEFAULT_THRESHOLDS: Thresholds = {
  poll_interval: { image: 1_000, video: 3_000, audio: 1_000, tool: 1_000, llm: 1_000 },
  tolerance: 0.1,
  fast_polls: 3,
  polls_after_end: 2,
  longest_wait: 3_600_000,
  failed_polls: 3,
  retry_within: 60_000,
  silence: 60_000,
  downloads: 5,
  webhook_answer: 5_000,
}

/** Thresholds of which some may be left open. */
export type SomeThresholds = {
  readonly [Name in keyof Thresholds]?: Name extends 'poll_interval'
    ? Partial<Readonly<Record<Kind, number | undefined>>> | undefined
    : Thresholds[Name] | undefined
}

/** Fills in what is left open. */
export function thresholdsFrom({ poll_interval: byKind = {}, ...others }: SomeThresholds = {}): Thresholds {
  const poll_interval = { ...DEFAULT_THRESHOLDS.poll_interval, ...given(byKind) }
  return { ...DEFAULT_THRESHOLDS, ...given(others), poll_interval }
}

/** The fields that have a value. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
}
