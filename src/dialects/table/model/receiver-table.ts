import type { JsonValue } from '../../../engine/json.js'
import type { Template, TextTemplate } from '../template/template.js'
import type { Answered, IdForm, ItemListTable } from './shared-forms.js'

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
