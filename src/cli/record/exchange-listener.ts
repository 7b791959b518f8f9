import type { PassedExchange } from '../../record/recording/passed-exchange.js'

/** Receives what passes through the proxy, in the order of the ends. */
export interface ExchangeListener {
  /** A request to the service, and its answer. */
  exchange(passed: PassedExchange): void
  /** A webhook of the service, and the answer of the client's receiver. */
  webhook(passed: PassedExchange): void
}
