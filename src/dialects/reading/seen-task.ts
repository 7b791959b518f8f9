import type { JsonObject } from '../../engine/json.js'
import type { Kind, Status } from '../../engine/tasks/task.js'

/** What an answer of a service says about a task. Times are epoch milliseconds; undefined: the answer does not say. */
export interface SeenTask {
  readonly id?: string | undefined
  readonly status?: Status | undefined
  /** The word of its state, if the dialect does not know it. The other values are those of a task that has ended. */
  readonly unknownWord?: string | undefined
  readonly model?: string | undefined
  readonly kind?: Kind | undefined
  readonly input?: JsonObject | undefined
  readonly createdAt?: number | undefined
  /** When it left the queue. */
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  /** How many milliseconds it was in the queue. */
  readonly queueMs?: number | undefined
  /** How many milliseconds it was processed. */
  readonly runMs?: number | undefined
  readonly error?: { readonly code?: string | undefined; readonly message: string } | undefined
  /** In US dollars. */
  readonly cost?: number | undefined
  /** In the form of the default wire format, as far as it is known. */
  readonly output?: JsonObject | undefined
}
