import type { ImageSpec } from '../../../engine/assets/media-spec.js'
import type { JsonObject } from '../../../engine/json.js'
import type { OperationName } from '../../../engine/requests/operations.js'
import type { Status } from '../../../engine/tasks/task.js'
import type { Template, TextTemplate } from '../template/template.js'
import type {
  ListUploadsTable,
  OneUploadTable,
  PartsTable,
  ReceiverTable,
  StreamEvents,
  StreamTable,
  UploadTable,
} from './rare-tables.js'
import type { Answered, PageSize, RejectedForm } from './shared-forms.js'

type ImageFormat = ImageSpec['format']

interface Place {
  /** The type of the tasks, one of the table's `objects`; the main type by default. */
  readonly object?: string | undefined
  readonly method: string
  /** Below the prefix. */
  readonly path: string
}

/** An operation and its place. */
export type TableOperation = Place & TableAction

/** What an operation does. */
type TableAction =
  | CreateTable
  | RetrieveTable
  | ResultTable
  | CancelTable
  | DeleteTable
  | ListTable
  | StreamTable
  | PartsTable
  | FileTable
  | UploadTable
  | OneUploadTable
  | ListUploadsTable
  | ReceiverTable
  | GroupTable
  | FixedTable

interface Checked {
  /** The requests that the service rejects, in the order in which it checks them. */
  readonly reject?: readonly RejectedForm[] | undefined
}

/** An answer about one task. */
export interface TaskAnswered extends Answered, Checked {
  /** The answers that differ by the state of the task. */
  readonly states?: { readonly [State in Status]?: StateAnswer | undefined } | undefined
}

/** The answer about a task in one state. */
export interface StateAnswer {
  /** The status; that of the operation by default. */
  readonly status?: number | undefined
  /** Other statuses, by the code of the task's error. */
  readonly by_error?: Readonly<Record<string, number>> | undefined
  /** The body; that of the operation by default. */
  readonly answer?: Template | undefined
  readonly headers?: Readonly<Record<string, TextTemplate>> | undefined
}

/** The fields that the body must have: a list, or a mapping with what to give in each, for the message. */
export type RequiredFields = readonly string[] | Readonly<Record<string, string>>

/** Creates a task. */
export interface CreateTable extends TaskAnswered {
  readonly action: 'create'
  /** The kind of the model, if the path decides it. */
  readonly kind?: string | undefined
  /** `form` if a request may also be a form, whose files become the URLs of uploads; otherwise, it is JSON. */
  readonly from?: 'form' | undefined
  /** The id of another task, whose values are `{{source.NAME}}`. */
  readonly source?: TextTemplate | undefined
  readonly model?: TextTemplate | undefined
  readonly input?: Template | undefined
  readonly require?: RequiredFields | undefined
  /** Whether the input must be valid for the kind of the model; by default, only what decides the output is checked. */
  readonly check_input?: boolean | undefined
  /** All fields that the service knows; any if undefined. */
  readonly fields?: readonly string[] | undefined
  /** `reject` if the service rejects other fields; by default, it ignores them. */
  readonly unknown_fields?: 'reject' | undefined
  /** Values of the request that later answers need, as `{{kept.NAME}}`. */
  readonly keep?: JsonObject | undefined
  /** `queued` if an answer that is not held shows the task as it was before its start. */
  readonly shows?: 'queued' | undefined
  /** How many milliseconds to wait for the end of the task. */
  readonly wait?: TextTemplate | number | undefined
  /** Whether to wait at all: a value that must be true; by default, it waits. */
  readonly wait_if?: TextTemplate | undefined
  /** The events that answer the request in place of a task. */
  readonly events?: StreamEvents | undefined
  /** Which requests these events answer: a value that is neither missing nor null nor false; all by default. */
  readonly stream_if?: TextTemplate | undefined
}

/** Answers with a task. */
export interface RetrieveTable extends TaskAnswered {
  readonly action: 'retrieve'
  /** Whether the answer has `{{log_lines}}`: a value that must be true; by default, it has them. */
  readonly logs_if?: TextTemplate | undefined
  readonly wait?: TextTemplate | number | undefined
  /** The events that answer some requests in place of the task. */
  readonly events?: StreamEvents | undefined
  /** Which requests these events answer: a value that is neither missing nor null nor false. */
  readonly stream_if?: TextTemplate | undefined
  /** The number of the last event that the client has. */
  readonly resume_after?: TextTemplate | undefined
}

/** Answers with the result of a task, once it has one. */
export interface ResultTable extends TaskAnswered {
  readonly action: 'result'
  /** The words to search a transcript for, separated by commas, as `{{matches}}`. */
  readonly search?: TextTemplate | undefined
  /** The answer, if it is not JSON. */
  readonly text?: TextTemplate | undefined
  readonly content_type?: string | undefined
}

/** Cancels a task. */
export interface CancelTable extends TaskAnswered {
  readonly action: 'cancel'
  /** What to do if the task has already ended: answer with it, or reject the request. */
  readonly ended?: 'answer' | 'reject' | undefined
}

/** Deletes a task. */
export interface DeleteTable extends Answered, Checked {
  readonly action: 'delete'
  /** Whether only the data of the task are deleted, so that it can still be read. */
  readonly keeps_record?: boolean | undefined
}

/** Lists tasks. */
export interface ListTable extends Answered {
  readonly action: 'list'
  /** A task in the list. */
  readonly item?: JsonObject | undefined
  readonly answer: Template
  /** The page size and its query parameter. */
  readonly limit?: PageSize | undefined
  /** The query parameter with the number of tasks to skip. */
  readonly offset?: string | undefined
  /** The query parameter with the id of the last task of the previous page. */
  readonly after?: string | undefined
  /** The query parameter with the id of the first task of a page, which requests newer tasks. */
  readonly before?: string | undefined
  /** The query parameter that is `asc` for the oldest task first, or `desc`, which is the default. */
  readonly order?: string | undefined
  /** The query parameters that select tasks. */
  readonly filters?: ListFilters | undefined
}

/** The query parameters that select the tasks of a list. */
interface ListFilters {
  /** A word of a state. */
  readonly status?: string | undefined
  /** The model. */
  readonly model?: string | undefined
  /** The day of the creation in UTC, such as 2026-01-31. */
  readonly day?: string | undefined
  /** `true` for queued tasks only, whatever the state that the request asks for. */
  readonly queued_only?: string | undefined
}

/** Answers with an output file. */
export interface FileTable extends Checked {
  readonly action: 'file'
  /** The index of the file. */
  readonly index?: TextTemplate | number | undefined
  /** The word in the request that selects one of `pictures`. */
  readonly picture?: TextTemplate | undefined
  /** The formats of pictures of the size of the output, by their words; another word selects the file. */
  readonly pictures?: Readonly<Record<string, ImageFormat>> | undefined
}

/** Counts tasks of the key by their state, or cancels those that are queued. */
export interface GroupTable extends Answered {
  readonly action: 'count' | 'cancel_queued'
  /** The model of the tasks; any by default. */
  readonly model?: TextTemplate | undefined
  readonly answer: Template
}

/** Answers without regard to tasks. */
export interface FixedTable extends Answered {
  readonly action: 'fixed'
  /** `none` if the request needs no API key. */
  readonly key?: 'none' | undefined
  /** The name of the field of `answer` to return; without such a field, 404. The default is the whole `answer`. */
  readonly by?: TextTemplate | undefined
  readonly answer: Template
}

/** The names of operations in scenarios, logs and documents, by what they do. */
export const NAMES = {
  create: 'tasks.create',
  retrieve: 'tasks.retrieve',
  result: 'tasks.result',
  cancel: 'tasks.cancel',
  delete: 'tasks.delete',
  list: 'tasks.list',
  stream: 'tasks.stream',
  parts: 'tasks.stream',
  file: 'files.download',
  upload: 'files.upload',
  retrieve_upload: 'files.retrieve',
  delete_upload: 'files.delete',
  list_uploads: 'files.list',
  create_receiver: 'webhooks.create',
  retrieve_receiver: 'webhooks.retrieve',
  update_receiver: 'webhooks.update',
  delete_receiver: 'webhooks.delete',
  ping_receiver: 'webhooks.ping',
  rotate_secret: 'webhooks.rotate_secret',
  list_receivers: 'webhooks.list',
  count: 'service.info',
  cancel_queued: 'tasks.cancel_queued',
  fixed: 'service.info',
} as const satisfies Readonly<Record<TableOperation['action'], OperationName>>
