import type { FileCache } from '../engine/assets/file-cache.js'
import type { Outputs } from '../engine/assets/outputs.js'
import type { NewUpload, Upload } from '../engine/assets/uploads.js'
import type { Awaitable } from '../engine/awaitable.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import type { Random } from '../engine/random.js'
import type { Engine } from '../engine/tasks/engine.js'
import type { NewTask } from '../engine/tasks/new-task.js'
import type { ListQuery, TaskPage } from '../engine/tasks/store.js'
import type { Kind, Status, Task } from '../engine/tasks/task.js'
import type { WebhookFormat } from '../engine/webhooks/webhook-format.js'
import type { ApiRequest, Reply } from '../http/exchange/exchange.js'
import type { Rejection } from '../http/exchange/reply.js'
import type { Scenario } from '../scenario/model/scenario.js'
import type { LimitHeaders } from './limit-headers.js'
import type { DialectTable } from './table/dialect-table.js'

/**
 * The wire format of one service: its paths, fields, status words, errors, webhooks and signatures. Everything else,
 * such as time, failures, costs and faults, is the same for all services.
 */
export interface Dialect {
  /** The name in options, scenarios and paths, such as `tasks`. */
  readonly name: string
  /** The origins that the service's own clients call. */
  readonly hosts: readonly string[]
  /** The interval of polls that the service recommends, in milliseconds; undefined if it depends on the kind of task. */
  readonly pollInterval?: number | undefined
  /** Where its operations are, for the error of an unknown path; a sentence. */
  readonly help: string
  /** The operations of the service. */
  readonly routes: readonly DialectRoute[]
  /** Where a request carries its API key. */
  readonly key: KeyLocation
  /** Further headers that every request must have. */
  readonly requiredHeaders?: readonly string[] | undefined
  /** The description from which the dialect was built, if it is data; for documents. */
  readonly table?: DialectTable | undefined
  /** The headers with the state of a rate limit, if they differ from those of the scenario. */
  readonly limitHeaders?: LimitHeaders | undefined
  /** Where an answer holds tasks, for faults and findings. */
  readonly answers: AnswerShape
  /** The form of the ids of tasks. */
  readonly taskIds: TaskIds
  /** Writes a rejection as the service does. */
  error(rejection: Rejection, requestId: string, scenario: Scenario): Reply
  /** Returns how the service sends webhooks. */
  webhooks(scenario: Scenario): WebhookFormat
}

/** The form of the ids of tasks. */
interface TaskIds {
  /** Matches every id, and little else: in process, paths of files with such ids are answered on any origin. */
  readonly pattern: RegExp
  draw(random: Random): string
}

/** The header of the API key, such as `Authorization: Bearer <API_KEY>`. */
export interface KeyLocation {
  readonly header: string
  /** The word before the key; undefined if the header holds nothing else. */
  readonly scheme: string | undefined
}

/** The names of the fields in answers about tasks. */
export interface AnswerShape {
  /** The field of a page that lists tasks. */
  readonly list: string
  /** The field of a task's id. */
  readonly id: string
  /** The field of a task's state. */
  readonly status: string
  /** The states by the words of the service. */
  readonly words: Readonly<Record<string, Status>>
}

/** One path of a service, and the operations on it by method. */
export interface DialectRoute {
  /** In the syntax of OpenAPI: `{name}` matches one segment. `{task_id}` is the id of a task. */
  readonly path: string
  /** Further paths with the same parameters and operations. */
  readonly aliases?: readonly string[]
  readonly methods: Readonly<Record<string, Action>>
}

/** An operation of a service, in terms of the engine. */
export type Action =
  | CreateAction
  | TaskAction
  | ResultAction
  | CancelAction
  | DeleteAction
  | ListAction
  | StreamAction
  | PartsAction
  | FileAction
  | UploadAction
  | OneUploadAction
  | ListUploadsAction
  | FixedAction

/** Creates a task. */
export interface CreateAction {
  readonly operation: 'tasks.create'
  /** Reads the model and the input, unchecked: fault rules also match requests that will be rejected. */
  subject(body: JsonObject, call: Call): Subject
  /**
   * Reads and checks the order of a task.
   * @throws Problem if the service would reject the request
   */
  decode(body: JsonObject, call: Call): Order
  /** @param isHeld whether the answer was held until the task had ended or the time was over */
  encode(task: Task, call: Call, isHeld: boolean): Awaitable<Reply>
}

/** What a create request asks for, unchecked. */
export interface Subject {
  readonly model: JsonValue | undefined
  readonly input: JsonValue | undefined
  /** The kind of the model, if the path decides it. */
  readonly kind?: Kind | undefined
}

interface OneTaskAction {
  /**
   * Checks a request before its task is looked up.
   * @throws Problem if the service would reject the request
   */
  check?(call: Call): void
  encode(task: Task, call: Call): Awaitable<Reply>
}

/** Answers with the state of the task in the path. */
export interface TaskAction extends OneTaskAction {
  readonly operation: 'tasks.retrieve'
  /** How many milliseconds to hold the answer until the task has ended; not at all by default. */
  wait?(call: Call): number
}

/**
 * Answers with the result of the task in the path, in a form that does not show its state. It is no poll.
 * @throws Problem from `encode` if the task has no result
 */
export interface ResultAction extends OneTaskAction {
  readonly operation: 'tasks.result'
}

/** Cancels the task in the path. */
export interface CancelAction extends OneTaskAction {
  readonly operation: 'tasks.cancel'
  /** Whether to answer with a task that has already ended; such a request is rejected by default. */
  readonly acceptsEnded?: boolean
}

/** Deletes the task in the path. A task that has not ended is canceled first. */
export interface DeleteAction extends OneTaskAction {
  readonly operation: 'tasks.delete'
}

/** Streams the parts of the task's output in the path as they get ready, and its end. */
export interface StreamAction {
  readonly operation: 'tasks.stream'
  /** Whether the id of the task is enough, without an API key. */
  readonly isPublic: boolean
  /**
   * Writes a part of the output as it is sent.
   * @param part the URL of a file, or a piece of a text
   * @param index the number of parts before it
   */
  part(part: JsonValue, index: number, task: Task, call: Call): string
  /**
   * Writes the end of the stream.
   * @param index the number of parts that were sent
   */
  end(index: number, task: Task, call: Call): string
}

/** Answers with the parts of the task's output in the path that no earlier answer contained, once there are some. */
export interface PartsAction {
  readonly operation: 'tasks.stream'
  /** How many milliseconds to hold the answer until there is a part or the task has ended. */
  wait(call: Call): number
  /** @param parts the URLs of files, or the pieces of a text */
  encode(task: Task, parts: readonly JsonValue[], call: Call): Reply
}

/** Answers with an output file of the task in the path, to the owner of the task. */
export interface FileAction {
  readonly operation: 'files.download'
  /** The index of the file. */
  file(call: Call): number
}

/** Keeps a file that the client sends or announces. */
export interface UploadAction {
  readonly operation: 'files.upload'
  /** Where the file is: in the body, in a form, or sent later to the URL of the upload. */
  readonly from: 'body' | 'form' | 'url'
  /** The field of the form that holds the file. */
  readonly field: string
  /**
   * Reads how to keep the file.
   * @param fields the other fields of the form, or the JSON of the body; empty if the file is the body
   * @throws Problem if the service would reject the request
   */
  decode(fields: JsonObject, call: Call): UploadOrder
  encode(upload: OwnUpload, call: Call): Reply
}

/** How to keep a file; undefined fields come from the request. */
interface UploadOrder extends Pick<NewUpload, 'kept' | 'lifetime'> {
  readonly name: string | undefined
  readonly contentType: string | undefined
}

/** An upload and its signed URL. */
export interface OwnUpload {
  readonly upload: Upload
  readonly url: string
}

/** Answers with the upload in the path, or deletes it. */
export interface OneUploadAction {
  readonly operation: 'files.retrieve' | 'files.delete'
  /** Reads the id of the upload. */
  id(call: Call): string
  encode(upload: OwnUpload, call: Call): Reply
}

/** Lists the uploads of the API key, newest first. */
export interface ListUploadsAction {
  readonly operation: 'files.list'
  encode(uploads: readonly OwnUpload[], call: Call): Reply
}

/** Answers without regard to single tasks, such as with the health of the service; or cancels the queued tasks. */
export interface FixedAction {
  readonly operation: 'service.info' | 'tasks.cancel_queued'
  encode(call: Call): Awaitable<Reply>
}

/** Lists the tasks of the API key. */
export interface ListAction {
  readonly operation: 'tasks.list'
  /** @throws Problem if the service would reject the request */
  decode(call: Call): PageQuery
  /** @param query the result of `decode` */
  encode(page: TaskPage, query: PageQuery, call: Call): Awaitable<ListedTasks>
  /** The rejection of a cursor that is no task of the API key. */
  unknownCursor(query: PageQuery, call: Call): Error
}

/** Which tasks of the API key to list. */
export type PageQuery = Omit<ListQuery, 'owner'>

/** The reply with a page of tasks. */
interface ListedTasks {
  readonly reply: Reply
  /** The tasks in the reply. */
  readonly items: readonly Task[]
  /** The value that requests the next page in the query; undefined if this is the last page. */
  readonly nextCursor: string | undefined
}

/** The order of a task in a request. */
interface Order extends Pick<NewTask, 'model' | 'input' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended; not at all by default. */
  readonly wait?: number | undefined
  /** All fields of the request that the service knows; any field if undefined. */
  readonly knownFields?: readonly string[] | undefined
}

/** A request to an operation of a service. */
export interface Call {
  readonly request: ApiRequest
  /** The values of the parameters in the path. */
  readonly params: readonly string[]
  /** The API key. */
  readonly key: string
  readonly sim: ServiceState
}

/** The parts of a simulator that a dialect may ask. */
interface ServiceState {
  readonly scenario: Scenario
  /** The id of the sandbox, if the simulator is one. */
  readonly identity: { readonly id: string } | undefined
  readonly clock: { now(): number }
  readonly tasks: Engine
  readonly outputs: Outputs
  readonly files: FileCache
  /** The start of output URLs for a client that reached the API at `origin`. */
  publicOrigin(origin: string): string
  /** Whether webhooks may go to a URL. */
  mayCall(url: string): boolean
}
