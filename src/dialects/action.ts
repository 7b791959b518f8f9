import type { ImageSpec } from '../engine/assets/media-spec.js'
import type { NewUpload, Upload } from '../engine/assets/upload.js'
import type { Awaitable } from '../engine/awaitable.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import type { LogLine } from '../engine/progress/log-lines.js'
import type { ListQuery, TaskPage } from '../engine/tasks/list-query.js'
import type { NewTask } from '../engine/tasks/new-task.js'
import type { Kind, Task } from '../engine/tasks/task.js'
import type { Reply } from '../http/exchange/exchange.js'
import type { Call } from './call.js'
import type { ItemPage, ItemQuery } from './item-page.js'
import type { ReceiverAction } from './receiver-action.js'

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

/** What a service checks before it does anything about a task. */
interface TaskChecks {
  /**
   * Checks a request once its task is found.
   * @throws Problem if the service would reject the request
   */
  readonly checkTask?: ((task: Task, call: Call) => void) | undefined
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

/** A stream that is the answer to some requests of an operation. */
interface AskedStream {
  /** Whether a request asks for it. */
  isAsked(call: Call): boolean
  readonly action: StreamAction
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

/** Streams events about the task in the path, such as the parts of its output as they get ready, and its end. */
export interface StreamAction {
  readonly operation: 'tasks.stream'
  /**
   * Checks a request once its task is found.
   * @throws Problem if the service would reject the request
   */
  readonly checkTask?: ((task: Task, call: Call) => void) | undefined
  /** Whether the id of the task is enough, without an API key. */
  readonly isPublic: boolean
  /** Whether it sends the parts of the output. */
  readonly hasParts: boolean
  /** Whether it sends the start of the task. */
  readonly hasStart: boolean
  /** Whether it sends a change of the state before the end. */
  readonly hasChanges: boolean
  /** Whether the client asked for new log lines. */
  hasLogs(call: Call): boolean
  /** Further headers of the answer. */
  headers(task: Task, call: Call): Readonly<Record<string, string>>
  /**
   * The number of the last event that the client has; -1 if it has none.
   * @throws Problem if the request contains something else
   */
  resumesAfter(call: Call): number
  /**
   * Writes the events about a moment, as they are sent. Events about the past are always the same.
   * @param sequence the number of events before them
   */
  write(moment: StreamMoment, sequence: number, call: Call): readonly string[]
}

/** Something that happens to a task: it was created, has started, has a part, shows a change, or has ended. */
export interface StreamMoment {
  readonly topic: 'created' | 'started' | 'part' | 'change' | 'end'
  /** The task as it was then. */
  readonly task: Task
  /** The progress at that time, if it is not that of now. */
  readonly progress?: number | undefined
  /** The part of the output: the URL of a file, or a piece of a text. */
  readonly part?: JsonValue | undefined
  /** The number of parts before this moment. */
  readonly index?: number | undefined
  /** The log lines that were not sent before. */
  readonly logs?: readonly LogLine[] | undefined
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
export interface FileAction extends TaskChecks {
  readonly operation: 'files.download'
  /** The index of the file. */
  file(call: Call): number
  /** The format of the picture that the client asks for in place of the file; undefined for the file. */
  picture?(call: Call): ImageSpec['format'] | undefined
}

/** Keeps a file that the client sends or announces. */
export interface UploadAction {
  readonly operation: 'files.upload'
  /** Where the file is: in the body, in a form, sent later to the URL of the upload, or in parts to this operation. */
  readonly from: 'body' | 'form' | 'url' | 'resumable'
  /** The field of the form that holds the file. */
  readonly field: string
  /**
   * Reads how to keep the file.
   * @param fields the other fields of the form, or the JSON of the body; empty if the file is the body
   * @throws Problem if the service would reject the request
   */
  decode(fields: JsonObject, call: Call): UploadOrder
  /** The URL of this operation, as the client has called it, without a query. */
  url(call: Call): string
  encode(upload: OwnUpload, call: Call): Reply
}

/** How to keep a file; undefined fields come from the request. */
export interface UploadOrder extends Pick<NewUpload, 'kept' | 'lifetime' | 'ownId'> {
  /** How long the service processes a file, in milliseconds, by the first part of its type, such as `video`. */
  readonly processing?: Readonly<Record<string, number>> | undefined
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
  /** @throws Problem if the service would reject the request */
  decode(call: Call): ItemQuery
  encode(page: ItemPage<OwnUpload>, call: Call): Reply
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
export interface Order extends Pick<NewTask, 'model' | 'input' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended; not at all by default. */
  readonly wait?: number | undefined
  /** The stream of the new task that answers the request in place of the task. */
  readonly stream?: StreamAction | undefined
  /** All fields of the request that the service knows; any field if undefined. */
  readonly knownFields?: readonly string[] | undefined
}
