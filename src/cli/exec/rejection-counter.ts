import type { AnsweredRequest } from '../../engine/events.js'

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

  /** The create requests or, if there were none, all requests; undefined unless every one of them was rejected. */
  get total(): TotalRejection | undefined {
    const what = this.#creates.requests > 0 ? 'create request' : 'request'
    const { requests, rejected, statuses, isFaultOfClient } = what === 'request' ? this.#all : this.#creates
    return requests > 0 && rejected === requests ? { what, statuses, isFaultOfClient } : undefined
  }
}

/** Requests that were all rejected. */
export interface TotalRejection {
  readonly what: 'create request' | 'request'
  /** The number of requests with each status; 0 means no response. */
  readonly statuses: ReadonlyMap<number, number>
  /** False if the scenario caused every rejection, by a fault, a rate limit or missing credits. */
  readonly isFaultOfClient: boolean
}

class StatusCounter {
  requests = 0
  rejected = 0
  isFaultOfClient = false
  readonly statuses = new Map<number, number>()

  count({ status, fault }: AnsweredRequest): void {
    this.requests += 1
    if (status !== 0 && status < 400) return
    this.rejected += 1
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (fault === undefined && status >= 400 && status < 500 && !STATE_OF_SERVICE.includes(status))
      this.isFaultOfClient = true
  }
}
