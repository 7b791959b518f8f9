import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type { Status } from '../../../engine/tasks/task.js'
import type { Template, TextTemplate } from '../template/template.js'
import type { Answered, IdForm, ItemListTable, RejectedForm } from './shared-forms.js'

/** Streams the parts of an output, and its end, as server-sent events. */
export interface StreamTable {
  readonly action: 'stream'
  /** `none` if the id of the task is enough, without an API key. */
  readonly key?: 'none' | undefined
  readonly events: StreamEvents
  /** Whether new log lines are sent: a value that must be true; by default, they are. */
  readonly logs_if?: TextTemplate | undefined
  /** The requests that the service rejects. */
  readonly reject?: readonly RejectedForm[] | undefined
  /** The number of the last event that the client has. */
  readonly resume_after?: TextTemplate | undefined
}

/** The events of a stream, by what has happened. */
export type StreamEvents = {
  readonly [Topic in Status | 'created' | 'started' | 'output']?:
    | StreamEvent
    | readonly StreamEvent[]
    | undefined
}

/** A server-sent event. */
export interface StreamEvent {
  /** A value that is neither missing nor null nor false; of a list, all values. By default, the event is sent. */
  readonly if?: TextTemplate | readonly TextTemplate[] | undefined
  readonly event?: TextTemplate | undefined
  readonly id?: TextTemplate | undefined
  /** JSON, unless it is a string. */
  readonly data: Template
}

/** Answers with the parts of an output that no earlier answer contained. */
export interface PartsTable {
  readonly action: 'parts'
  readonly status?: number | undefined
  readonly answer: Template
  /** One part in `{{parts}}`; the part itself by default. */
  readonly part?: Template | undefined
  /** How many milliseconds to wait for a part, or the end of the task. */
  readonly wait: TextTemplate | number
}

/** Keeps a file that the client sends. */
export interface UploadTable extends Answered {
  readonly action: 'upload'
  /**
   * Where the file is: in the `body`, in a `form`, sent later to the `url` of the upload, or in parts in the `resumable`
   * protocol of Google; `body` by default.
   */
  readonly from?: 'body' | 'form' | 'url' | 'resumable' | undefined
  /** The field of the form that holds the file; `file` by default. */
  readonly file?: string | undefined
  /** The name of the file, if it is not that of the file in the form. */
  readonly name?: TextTemplate | undefined
  /** The id of the upload, if the client has chosen one. */
  readonly id?: TextTemplate | undefined
  /** How long the service processes a file, in milliseconds, by the first part of its type; not at all by default. */
  readonly processing?: Readonly<Record<string, number>> | undefined
  /** The type of the file, if it is not that of the body or of the file in the form. */
  readonly content_type?: TextTemplate | undefined
  /** The fields that the request must have. */
  readonly require?: readonly string[] | undefined
  /** Values of the request that later answers need, as `{{kept.NAME}}`. */
  readonly keep?: JsonObject | undefined
  /** How long the file is kept; as long as an output URL by default. */
  readonly lifetime?: number | undefined
}

/** Answers with an upload, or deletes it. */
export interface OneUploadTable extends Answered {
  readonly action: 'retrieve_upload' | 'delete_upload'
}

/** Lists the uploads of the key. */
export interface ListUploadsTable extends Answered, ItemListTable {
  readonly action: 'list_uploads'
}

/** The operations on the receivers that an API key has registered. */
export type ReceiverTable =
  | CreateReceiverTable
  | UpdateReceiverTable
  | OneReceiverTable
  | PingReceiverTable
  | RotateSecretTable
  | ListReceiversTable

/** Where a request describes a receiver. */
interface ReceiverFields extends Answered {
  readonly url?: TextTemplate | undefined
  /** The names of the events that it wants; all by default. */
  readonly events?: TextTemplate | undefined
  readonly name?: TextTemplate | undefined
}

/** Registers a receiver. */
export interface CreateReceiverTable extends ReceiverFields {
  readonly action: 'create_receiver'
  /** The fields that the body must have. */
  readonly require?: readonly string[] | undefined
  /** The form of the ids of receivers. */
  readonly ids?: IdForm | undefined
}

/** Changes a receiver. */
export interface UpdateReceiverTable extends ReceiverFields {
  readonly action: 'update_receiver'
  /** Whether it gets webhooks: a value that is true or false. */
  readonly enabled?: TextTemplate | undefined
}

/** Answers with a receiver, or deletes it. */
interface OneReceiverTable extends Answered {
  readonly action: 'retrieve_receiver' | 'delete_receiver'
}

/** Sends a message to a receiver that is about no task. */
export interface PingReceiverTable extends Answered {
  readonly action: 'ping_receiver'
  /** The name of the event. */
  readonly event: string
  readonly body: JsonValue
}

/** Gives a receiver a new secret. */
export interface RotateSecretTable extends Answered {
  readonly action: 'rotate_secret'
  /** For how many milliseconds the previous secret stays valid; not at all by default. */
  readonly overlap?: number | undefined
  /** Whether the previous secret becomes invalid at once: a value that must be true. */
  readonly at_once_if?: TextTemplate | undefined
}

/** Lists the receivers of the key. */
export interface ListReceiversTable extends Answered, ItemListTable {
  readonly action: 'list_receivers'
  readonly answer: Template
}
