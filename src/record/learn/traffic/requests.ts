import type { Dialect } from '../../../dialects/dialect.js'
import { findOperation } from '../../../dialects/reading/find-operation.js'
import type { OperationName } from '../../../engine/requests/operations.js'
import { retryAfterOf } from '../../../engine/webhooks/deliveries/retry-after.js'
import type { SeenExchange } from '../../exchanges/exchange.js'
import { type LimitSample, limitSampleOf } from './limit-sample.js'

/** A request about tasks that the service answered. Times are milliseconds. */
export interface AnsweredRequest {
  /** When it was sent, in epoch milliseconds. */
  readonly at: number
  readonly operation: OperationName
  /** A number for each API key. */
  readonly key: number
  readonly status: number
  /** The wait that the answer asks for; 0 if it asks for none. */
  readonly retryAfter: number
  readonly shown: LimitSample | undefined
}

/** The requests about tasks that a service answered. Remembers no key: each key gets a number. */
export class AnsweredRequests {
  readonly #dialect: Dialect
  readonly #keys = new Map<string, number>()
  readonly #all: AnsweredRequest[] = []

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** The requests in the order in which they were sent. */
  get all(): readonly AnsweredRequest[] {
    return this.#all.sort((one, other) => one.at - other.at)
  }

  /** @returns whether it is a request to the service */
  add(exchange: SeenExchange): boolean {
    const { at, answeredAt, method, answer } = exchange
    const url = new URL(exchange.url)
    const operation = findOperation(this.#dialect, { method, url })?.name
    if (answer === undefined || operation?.startsWith('tasks.') !== true) return operation !== undefined
    const { status, headers } = answer
    this.#all.push({
      at,
      operation,
      key: this.#keyOf(exchange, url),
      status,
      retryAfter: status < 400 ? 0 : retryAfterOf(headers, answeredAt),
      shown: limitSampleOf(headers, this.#dialect.limitHeaders, answeredAt),
    })
    return true
  }

  #keyOf({ key, headers }: SeenExchange, { searchParams }: URL): number {
    const { header, query = '' } = this.#dialect.key
    const text = key ?? headers[header.toLowerCase()] ?? searchParams.get(query) ?? ''
    const number = this.#keys.get(text) ?? this.#keys.size
    this.#keys.set(text, number)
    return number
  }
}
