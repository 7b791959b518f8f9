import type { Simulator } from '../simulator.js'
import type { ApiRequest, Reply } from './exchange.js'

/** A request on its way through an operation. */
export interface Exchange {
  readonly sim: Simulator
  readonly request: ApiRequest
  /** The API key, empty where the operation needs none. */
  readonly key: string
  /** What stands in the path where the route has a group. */
  readonly params: readonly string[]
  /** The task that the request is about, for the log; an operation that finds it out says so here. */
  taskId: string | undefined
}

/** One operation of the service, defined once for all hosts. */
export interface Operation {
  /** Names the operation in scenarios, logs and documents. */
  readonly id: string
  /** Whether the caller must show an API key. */
  readonly authenticated: boolean
  /**
   * Answers, or throws a {@link Problem}.
   * Anything else that it throws is answered with 500 and reported.
   */
  run(exchange: Exchange): Promise<Reply> | Reply
}
