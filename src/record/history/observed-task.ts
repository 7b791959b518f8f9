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
