import type { Awaitable } from '../engine/awaitable.js'
import type { Directive } from '../engine/directive/directive.js'
import type { RequestNote } from '../engine/events.js'
import type { JsonObject } from '../engine/json.js'
import type { ServiceOperation } from '../engine/requests/operations.js'
import type { InputSurvey } from '../engine/tasks/survey-input.js'
import type { Simulator } from '../simulator.js'
import type { ApiRequest, Reply } from './exchange.js'
import type { Transfer } from './transfer.js'

/** A request on its way through an operation. */
export interface Exchange {
  /** Names the request. */
  readonly id: string
  /** When it came, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  readonly sim: Simulator
  readonly request: ApiRequest
  /** Whether it is for the control API. */
  readonly isControl: boolean
  /** The API key, empty where the operation needs none. */
  key: string
  /** What it asks for; undefined where there is nothing at its path, or its method is not possible there. */
  readonly operation: Operation | undefined
  /** What stands in the path where the route has a group. */
  readonly params: readonly string[]
  /** The id of a task in the path, whether or not there is such a task and the caller may see it: for the journal only. */
  readonly namedTask: string | undefined
  /** The task that the request is about. An operation sets it once it has found that the caller may see the task. */
  taskId: string | undefined
  /** The body in the memory budget, until the request is answered. */
  transfer: Transfer | undefined
  /** The JSON object in the body, from when it is read. */
  json: Promise<JsonObject> | undefined
  /** What a walk over the `input` in the body found, from when it is made. */
  survey: Promise<InputSurvey> | undefined
  /** What the request asks for itself, in place of what the scenario says. */
  directive: Directive | undefined
  /** The rule whose fault has befallen the request. */
  fault: string | undefined
  /** What is to be remembered of the request beside the request line. */
  readonly note: RequestNote
}

/** One operation, defined once for all hosts. */
export interface Operation {
  /** Names the operation in scenarios, logs and documents. */
  readonly id: ServiceOperation | `sim.${string}` | 'files.preflight'
  /** Whether the caller must show an API key. */
  readonly authenticated: boolean
  /**
   * Answers, or throws a {@link Problem}.
   * Anything else that it throws is answered with 500 and reported.
   */
  run(exchange: Exchange): Awaitable<Reply>
}

/** What faults befall and limits count: not the control API, nor what a browser asks before it asks. */
export interface GuardedOperation extends Operation {
  readonly id: ServiceOperation
}
