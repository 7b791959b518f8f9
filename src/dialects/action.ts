import type { ImageSpec } from '../engine/assets/media-spec.js'
import type { Awaitable } from '../engine/awaitable.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import type { NewTask } from '../engine/tasks/orders.js'
import type { Kind, Task } from '../engine/tasks/task.js'
import type { ListQuery, TaskPage } from '../engine/tasks/task-store.js'
import type { Reply } from '../exchange/exchange.js'
import type { Call } from './call.js'
import type { ReceiverAction } from './receiver-action.js'
import type { AskedStream, PartsAction, StreamAction } from './stream-action.js'
import type { TaskChecks } from './task-checks.js'
import type { ListUploadsAction, OneUploadAction, UploadAction } from './upload-action.js'

/** The tasks of an operation. */
interface OfTasks {
  /** Whether a task is of the type that the operation is about; every task of the dialect by default. */
  readonly owns?: ((task: Task) => boolean) | undefined
}

/** An operation of a service, in terms of the engine. */
export type Action = OfTasks & AnyAction

type AnyAction =
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
  | ReceiverAction
  | FixedAction

/** Creates a task. */
export interface CreateAction {
  readonly operation: 'tasks.create'
  /** Whether a request may also be a form, whose files become the URLs of uploads. */
  readonly acceptsForms?: boolean | undefined
  /** Reads the id of another task from which the request makes a new one; undefined if it names none. */
  readonly source?: ((body: JsonObject, call: Call) => string | undefined) | undefined
  /**
   * Reads the model and the input, unchecked: fault rules also match requests that will be rejected.
   * @param source the task of `source`, if the client can see it
   */
  subject(body: JsonObject, call: Call, source?: Task): Subject
  /**
   * Reads and checks the order of a task.
   * @param source the task of `source`, if the client can see it
   * @throws Problem if the service would reject the request
   */
  decode(body: JsonObject, call: Call, source?: Task): Order
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

interface OneTaskAction extends TaskChecks {
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
  /** The stream of the task, which some requests get in place of its state. */
  readonly stream?: AskedStream | undefined
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
  /** Whether only the data of the task are deleted, so that it can still be read. */
  readonly keepsRecord?: boolean
}

/** Answers with an output file of the task in the path, to the owner of the task. */
export interface FileAction extends TaskChecks {
  readonly operation: 'files.download'
  /** The index of the file. */
  file(call: Call): number
  /** The format of the picture that the client asks for in place of the file; undefined for the file. */
  picture?(call: Call): ImageSpec['format'] | undefined
}

/** Answers without regard to single tasks, such as with the health of the service; or cancels the queued tasks. */
export interface FixedAction {
  readonly operation: 'service.info' | 'tasks.cancel_queued'
  /** Whether the request needs no API key. */
  readonly isPublic?: boolean | undefined
  encode(call: Call): Awaitable<Reply>
}

/** Lists the tasks of the API key. */
export interface ListAction extends OfTasks {
  readonly operation: 'tasks.list'
  /** @throws Problem if the service would reject the request */
  decode(call: Call): PageQuery
  /** @param query the result of `decode`, restricted to the tasks that the operation is about */
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
export interface Order extends Pick<NewTask, 'model' | 'input' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended; not at all by default. */
  readonly wait?: number | undefined
  /** The stream of the new task that answers the request in place of the task. */
  readonly stream?: StreamAction | undefined
  /** All fields of the request that the service knows; any field if undefined. */
  readonly knownFields?: readonly string[] | undefined
}
