import type { Dialect } from '../../../dialects/dialect.js'
import { readWebhook } from '../../../dialects/reading/read-webhook.js'
import { fingerprintOf } from '../../../engine/digest.js'
import { isJsonObject } from '../../../engine/json.js'
import { isSuccess } from '../../../engine/requests/statuses.js'
import { isTerminal } from '../../../engine/tasks/task.js'
import { type Interval, percentile } from '../../../inspect/statistics.js'
import type { SeenExchange } from '../../exchanges/seen-exchange.js'
import { roundMilliseconds } from '../../numbers.js'
import { type LearnedDelay, learnDelay } from '../delay.js'
import { Column } from '../histories.js'

/** The wait before a retry of a webhook, in milliseconds. */
export interface LearnedRetry {
  readonly wait: number
  readonly samples: number
  /** The shortest and the longest wait. */
  readonly range: Interval
}

/** How a service sends webhooks. */
export interface LearnedWebhooks {
  /** How many webhooks there were, each with one attempt or more. */
  readonly deliveries: number
  /** The waits before the retries, in their order. */
  readonly retries: readonly LearnedRetry[]
  /** The time from the end of a task to the first attempt, if the webhooks show when tasks ended. */
  readonly delay: LearnedDelay | undefined
}

interface Attempt {
  readonly at: number
  readonly answeredAt: number
  readonly isAccepted: boolean
}

const MIN_RETRIES = 3
const MIN_DELAYS = 30
const MOST_EARLY = 0.05
/** The headers with the id of a webhook, which is the same in each attempt. */
const IDS = ['webhook-id', 'svix-id', 'x-webhook-id']
const encoder = new TextEncoder()

/** Collects the attempts to deliver webhooks. */
export class WebhookAttempts {
  readonly #dialect: Dialect
  readonly #deliveries = new Map<number, Attempt[]>()
  /** When the first webhook about the end of a task was sent, by its id. */
  readonly #firstAt = new Map<string, number>()
  readonly #delays = new Column()
  #early = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Adds an attempt, unless its body shows no task. They come in the order of their ends. */
  add({ at, answeredAt, url, headers, body = null, answer }: SeenExchange): void {
    const seen = isJsonObject(body) ? readWebhook(this.#dialect, body) : undefined
    if (seen?.id === undefined) return
    const name = IDS.map((header) => headers[header]).find((value) => value !== undefined)
    const key = fingerprintOf(encoder.encode(`${url}\n${name ?? JSON.stringify(body)}`))
    const attempts = this.#deliveries.get(key) ?? []
    this.#deliveries.set(key, attempts)
    const isEnd = seen.status !== undefined && isTerminal(seen.status)
    if (isEnd && !this.#firstAt.has(seen.id)) this.#firstAt.set(seen.id, at)
    attempts.push({ at, answeredAt, isAccepted: isSuccess(answer?.status) })
  }

  /** Adds the end of a task, in epoch milliseconds, after its webhooks. */
  addEnd(id: string, ended: number): void {
    const at = this.#firstAt.get(id)
    if (at === undefined) return
    if (at >= ended) this.#delays.add(at - ended)
    else this.#early += 1
  }

  /** Undefined without webhooks. */
  get learned(): LearnedWebhooks | undefined {
    if (this.#deliveries.size === 0) return undefined
    const delays = this.#delays.values.toSorted()
    // If webhooks come before the end, polls saw the end late, so the delays are unknown.
    const isEarly = this.#early > MOST_EARLY * delays.length
    // If the service shows no ends, they are known only from the webhooks.
    const isKnown = delays.length >= MIN_DELAYS && !isEarly && delays.at(-1) !== 0
    return {
      deliveries: this.#deliveries.size,
      retries: this.#retries(),
      delay: isKnown ? learnDelay(delays) : undefined,
    }
  }

  #retries(): LearnedRetry[] {
    const waits: number[][] = []
    for (const attempts of this.#deliveries.values()) {
      for (const [index, { at }] of attempts.entries()) {
        const before = attempts[index - 1]
        // After a success, a further attempt is a duplicate.
        if (before?.isAccepted === true) break
        if (before === undefined) continue
        waits[index - 1] ??= []
        waits[index - 1]?.push(Math.max(0, at - before.answeredAt))
      }
    }
    const few = waits.findIndex((list) => list.length < MIN_RETRIES)
    return (few === -1 ? waits : waits.slice(0, few)).map(retryOf)
  }
}

/** The median, as round as the middle half of the waits allows. */
function retryOf(waits: readonly number[]): LearnedRetry {
  const sorted = Float64Array.from(waits).sort()
  const [low, high] = [percentile(sorted, 25), percentile(sorted, 75)]
  return {
    wait: roundMilliseconds(low, high),
    samples: waits.length,
    range: [percentile(sorted, 0), percentile(sorted, 100)],
  }
}
