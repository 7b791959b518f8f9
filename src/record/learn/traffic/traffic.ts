import type { Dialect } from '../../../dialects/dialect.js'
import type { SeenExchange } from '../../exchanges/seen-exchange.js'
import { findRateLimits, type LearnedRateLimit } from './find-rate-limits.js'
import { AnsweredRequests, findFaults, type LearnedFault } from './requests.js'
import { type LearnedWebhooks, WebhookAttempts } from './webhook-attempts.js'

/** What the requests to a service and its webhooks show, apart from tasks. */
export interface LearnedTraffic {
  /** How many requests about tasks were answered. */
  readonly requests: number
  readonly limits: readonly LearnedRateLimit[]
  readonly faults: readonly LearnedFault[]
  readonly webhooks: LearnedWebhooks | undefined
  /** What was not learned and why, one sentence each. */
  readonly gaps: readonly string[]
}

/** Collects the requests to a service, and its webhooks. Remembers no keys and no bodies. */
export class Traffic {
  readonly #requests: AnsweredRequests
  readonly #webhooks: WebhookAttempts

  constructor(dialect: Dialect) {
    this.#requests = new AnsweredRequests(dialect)
    this.#webhooks = new WebhookAttempts(dialect)
  }

  /** Adds a request to the service, or an attempt to deliver a webhook. They come in the order of their answers. */
  add(exchange: SeenExchange): void {
    if (!this.#requests.add(exchange) && exchange.method === 'POST') this.#webhooks.add(exchange)
  }

  /**
   * Adds a task, after all webhooks.
   * @param ended epoch milliseconds; undefined if it is unknown
   */
  addEnd(id: string, ended: number | undefined): void {
    if (ended !== undefined) this.#webhooks.addEnd(id, ended)
  }

  /** Undefined if there were no requests and no webhooks, as in a list of tasks. */
  get learned(): LearnedTraffic | undefined {
    const { all } = this.#requests
    const webhooks = this.#webhooks.learned
    if (all.length === 0) return webhooks && { requests: 0, limits: [], faults: [], webhooks, gaps: [] }
    const { limits, gaps } = findRateLimits(all)
    return { requests: all.length, limits, faults: findFaults(all), webhooks, gaps }
  }
}
