import type { JsonObject } from '../../engine/json.js'
import type { Status } from '../../engine/tasks/task.js'

/** A task of a real service, as its history shows it. Times are epoch milliseconds; undefined if the source does not say. */
export interface ObservedTask {
  readonly id: string
  /** The wire format in which the service showed it. */
  readonly dialect: string
  readonly model: string
  readonly kind?: string | undefined
  readonly status: Status
  /**
   * The word with which the service showed the end, if its dialect does not know the word. `status` is then `succeeded`
   * with an output, and `failed` without one.
   */
  readonly unknownWord?: string | undefined
  readonly createdAt: number
  /** When it left the queue. */
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  readonly error?: { readonly code?: string | undefined; readonly message: string } | undefined
  /** US dollars. */
  readonly costUsd?: number | undefined
  readonly input?: JsonObject | undefined
  readonly output?: JsonObject | undefined
}

/** The end of a task whose word the dialect does not know. */
export function endOfUnknown({ output }: Pick<ObservedTask, 'output'>): 'succeeded' | 'failed' {
  return output === undefined ? 'failed' : 'succeeded'
}
