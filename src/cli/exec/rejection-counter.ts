import type { AnsweredRequest } from '../../engine/events.js'
import { shorten } from '../../inspect/findings/evidence.js'

/** Statuses that depend on the state of the service, not on the request: no credits, rate limited. */
const STATE_OF_SERVICE = [402, 429]

/** Counts the requests to the service, and the rejected requests by status. */
export class RejectionCounter {
  readonly #all = new StatusCounter()
  readonly #creates = new StatusCounter()

  /** Counts one request to the service. */
  count(request: AnsweredRequest): void {
    this.#all.count(request)
    if (request.operation === 'tasks.create') this.#creates.count(request)
  }

  /** The rejections if every create request was rejected or, without create requests, if every request was rejected. */
  get total(): TotalRejection | undefined {
    const type = this.#creates.requests > 0 ? 'create request' : 'request'
    const { requests, rejected, statuses, isClientError, unknown } =
      type === 'request' ? this.#all : this.#creates
    if (requests === 0 || rejected < requests) return undefined
    return { type, statuses, isClientError, unknown: [...unknown] }
  }
}

/** Requests that were all rejected. */
export interface TotalRejection {
  readonly type: 'create request' | 'request'
  /** The number of requests with each status; 0 means no response. */
  readonly statuses: ReadonlyMap<number, number>
  /** False if the scenario caused every rejection, by a fault, a rate limit or missing credits. */
  readonly isClientError: boolean
  /** The first methods and paths at which the service has no operation. */
  readonly unknown: readonly string[]
}

const MAX_UNKNOWN = 3

class StatusCounter {
  requests = 0
  rejected = 0
  isClientError = false
  readonly statuses = new Map<number, number>()
  readonly unknown = new Set<string>()

  count({ status, fault, operation, method, path }: AnsweredRequest): void {
    this.requests += 1
    if (status !== 0 && status < 400) return
    this.rejected += 1
    if (operation === undefined && this.unknown.size < MAX_UNKNOWN)
      this.unknown.add(`${method} ${shorten(path)}`)
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (fault === undefined && status >= 400 && status < 500 && !STATE_OF_SERVICE.includes(status))
      this.isClientError = true
  }
}
