import type { Directive } from '../core/directive/directive.js'
import type { RequestNote } from '../core/events.js'
import type { JsonObject } from '../core/task/task.js'
import type { ServiceOperation } from '../core/traffic/operations.js'
import type { Simulator } from '../simulator.js'
import type { ApiRequest, Reply } from './exchange.js'

/** A request on its way through an operation. */
export interface Exchange {
  /** Names the request. */
  readonly id: string
  readonly sim: Simulator
  readonly request: ApiRequest
  /** The API key, empty where the operation needs none. */
  key: string
  /** What stands in the path where the route has a group. */
  readonly params: readonly string[]
  /** The task that the request is about, for the log; an operation that finds it out says so here. */
  taskId: string | undefined
  /** The JSON object in the body, from when it is read. */
  json: Promise<JsonObject> | undefined
  /** What the request asks for itself, in place of what the scenario says. */
  directive: Directive | undefined
  /** The rule whose fault has befallen the request. */
  fault: string | undefined
  /** What is to be remembered of the request beside the request line. */
  readonly note: RequestNote
}

/** What no fault befalls and no limit counts: the control API, and what a browser asks before it asks. */
export type UndisturbedOperation = `sim.${string}` | 'files.preflight'

/** One operation, defined once for all hosts. */
export interface Operation {
  /** Names the operation in scenarios, logs and documents. */
  readonly id: ServiceOperation | UndisturbedOperation
  /** Whether the caller must show an API key. */
  readonly authenticated: boolean
  /**
   * Answers, or throws a {@link Problem}.
   * Anything else that it throws is answered with 500 and reported.
   */
  run(exchange: Exchange): Promise<Reply> | Reply
}
