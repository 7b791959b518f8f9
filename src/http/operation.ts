import type { Call } from '../dialects/call.js'
import type { Dialect, KeyLocation } from '../dialects/dialect.js'
import type { EndedApi } from '../dialects/table/dialect-table.generated.js'
import type { RequestScope } from '../dialects/table/requests/request-values.js'
import type { Awaitable } from '../engine/awaitable.js'
import type { Directive } from '../engine/directive/directive.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import type { ExchangeNote } from '../engine/requests/answered-request.js'
import { type OperationName, SERVICE_OPERATIONS } from '../engine/requests/operations.js'
import type { InputSummary } from '../engine/tasks/input.js'
import type { Kind, Task } from '../engine/tasks/task.js'
import type { NewTask } from '../engine/tasks/task-factory.js'
import type { ApiRequest, Reply } from '../exchange/exchange.js'
import type { Problem } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Transfer } from './transfer.js'

/** One request while it is answered: what arrived, and what each step has found so far. */
export type Exchange = ServiceExchange | OtherExchange

/** The exchange of a request to which faults and limits apply. */
export interface ServiceExchange extends Progress {
  /** The wire format of the request. */
  readonly dialect: Dialect
  readonly operation: ServiceOperation
}

/** The exchange of another request: to the control API, before a file is fetched, or for nothing that exists. */
interface OtherExchange extends Progress {
  /** The wire format of the request; undefined if it is for the control API. */
  readonly dialect: Dialect | undefined
  /** Undefined if no route has the path, or the route lacks the method. */
  readonly operation: OtherOperation | undefined
}

/** What each step has found so far. */
interface Progress extends Arrival {
  // The pipeline:
  /** The API key; empty if the operation needs none. */
  key: string
  /**
   * The id of the task that the request names, in its path or else in its body. The task may not exist, or the caller may
   * not see it.
   */
  namedTask: string | undefined
  /** The directive of the request, which overrides the scenario. */
  directive: Directive | undefined
  /** The fault that applies to the request. */
  fault: { readonly rule: string; readonly showsStale: boolean } | undefined

  // The operation:
  /** The task of the request, once the operation has found that the caller may see it. */
  taskId: string | undefined

  /** What was read of the body. */
  readonly body: BodyReading
  /** Further details for the journal. */
  readonly note: ExchangeNote
}

/** What is known of a request when it arrives. */
interface Arrival {
  /** The value of `X-Request-Id`. */
  readonly id: string
  /** When the request arrived, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  readonly sim: Simulator
  readonly request: ApiRequest
  /** Undefined if no route has the path. */
  readonly route: Route | undefined
  /** The values of the parameters in the path. */
  readonly params: readonly string[]
  /** Why the request cannot be answered, if the path or a header shows that. */
  readonly problem: Problem | undefined
  /** What the request sends as its API key; undefined if nothing, and in the control API. */
  readonly sentKey: SentKey | undefined
}

/** What was read of the body of a request. Only the functions that read bodies change it. */
interface BodyReading {
  /** The bytes in the memory budget, until the request is answered. */
  transfer: Transfer | undefined
  /** The JSON object, once a reader has asked for it. */
  json: Awaitable<JsonObject> | undefined
  /** What a create request asks for, once it was read. */
  draft: SummarizedDraft | undefined
  /** Why the body could not be read for the steps before the operation. */
  problem: unknown
  /** Deletes the files of the body that were kept. Called unless the request has created a task. */
  discard: (() => void) | undefined
}

/** What a create request asks for, before any check: fault rules also match requests that will be rejected. */
export interface Draft {
  readonly model: JsonValue | undefined
  readonly input: JsonValue | undefined
  /** The kind of the model, if the path decides it. */
  readonly kind: Kind | undefined
  /** The values in the templates of the operation. */
  readonly scope: RequestScope
  /** The ended API to which the model belongs. */
  readonly ended: EndedApi | undefined
  /** Why the client cannot see the task from which the request makes a new one. */
  readonly missingSource: Problem | undefined
}

/** A draft with the summary of its input, which is computed once. */
export interface SummarizedDraft extends Draft {
  readonly summary: InputSummary
}

/** What a create request orders, after all checks. */
export interface Order
  extends Pick<NewTask, 'model' | 'input' | 'options' | 'takesNearest' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended. */
  readonly wait: number
  /** Whether a stream of the new task answers the request in place of the task. */
  readonly isStream: boolean
}

/** Reads the bodies of create requests: first {@link draft}, then {@link order}. */
export interface OrderReader {
  /** Whether a request may also be a form, whose files become the URLs of uploads. */
  readonly acceptsForms: boolean
  /** All fields that the service knows; any field if undefined. */
  readonly knownFields: readonly string[] | undefined
  /** Reads what a body asks for, unchecked. */
  draft(body: JsonObject, exchange: ServiceExchange): Draft
  /**
   * Checks what a body asks for.
   * @throws Problem or InputError if the service would reject the request
   */
  order(draft: Draft): Order
}

/** One operation, defined once for all hosts. */
type Operation = ServiceOperation | OtherOperation

/** An operation to which faults and limits apply. It has the name that they use. */
export interface ServiceOperation {
  readonly id: OperationName
  /** Whether the request needs an API key. */
  readonly authenticated: boolean
  /** The ended API to which the operation belongs, if all of its requests do. */
  readonly ended?: EndedApi | undefined
  /** Whether a task is of the type that the operation is about; every task of the dialect by default. */
  readonly owns?: ((task: Task) => boolean) | undefined
  /** How to read the order of a task, if the operation creates one. */
  readonly reader?: OrderReader
  /** Reads the id of the task, if it is in the query or a header. */
  readonly taskOf?: (call: Call) => string | undefined
  /**
   * Reads the id of the task, if it is in the body.
   * @throws Problem 400, 413 or 415 if the body is not a JSON object
   */
  readonly taskInBody?: (exchange: ServiceExchange) => Promise<string>
  /** How many milliseconds a request lets its answer wait, apart from orders; not at all by default. */
  readonly wait?: ((call: Call) => number) | undefined
  /** The operation that answers a request in place of this one, such as a stream; undefined for other requests. */
  readonly instead?: (call: Call) => ServiceOperation | undefined
  /** Answers the request, as {@link OtherOperation.run} does. */
  readonly run: ServiceHandler
}

/** An operation of the control API, or the question of a browser whether a page may fetch a file. */
export interface OtherOperation {
  /** The name of the operation in logs and documents. */
  readonly id: `sim.${string}` | 'files.preflight'
  /**
   * Answers the request.
   * @throws Problem to reject the request; any other error is answered with 500 and reported
   */
  readonly run: Handler
}

const SERVICE_NAMES: ReadonlySet<string> = new Set(SERVICE_OPERATIONS)

/** Whether faults and limits apply to a request. */
export function isOfService(exchange: Exchange): exchange is ServiceExchange {
  return exchange.operation !== undefined && SERVICE_NAMES.has(exchange.operation.id)
}

/** A path and the operations on it, by method. */
export interface Route {
  /** `{name}` matches one segment, or a part of it before constant text, and `{name...}` one or more segments. */
  readonly path: string
  /** Further paths with the same parameters and operations. */
  readonly aliases?: readonly string[] | undefined
  /** The patterns of the parameters, in the order of the path; any string by default. */
  readonly params?: readonly RegExp[] | undefined
  /** The wire format of the operations; undefined if it does not depend on the service. */
  readonly dialect?: Dialect
  /** The header with the URL for which a request is, if the route has no operations of its own. */
  readonly forward?: string
  readonly methods: Readonly<Record<string, Operation>>
}

/** What a request sends as its API key. */
export interface SentKey {
  readonly location: KeyLocation
  /** Undefined if the value has another form than a key. */
  readonly key: string | undefined
}

/** Answers the request of an exchange. */
export type Handler<Of extends Exchange = Exchange> = (exchange: Of) => Awaitable<Reply>

/** Answers a request to the service. */
export type ServiceHandler = Handler<ServiceExchange>

/** Answers a create request in another way than with the new task. */
export type AnswerNewTask = (task: Task, exchange: ServiceExchange) => Promise<Reply>
