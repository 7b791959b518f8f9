import type { JsonObject } from '../../../engine/json.js'
import type { TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import type { Template, TextTemplate } from '../template/template.js'

/** How a service sends webhooks. */
export interface WebhookTable {
  /** Where a create request holds the URL; without it, only the receivers of the scenario get webhooks. */
  readonly url?: TextTemplate | undefined
  /** Where a create request lists several URLs, the first of which is `url`. */
  readonly urls?: TextTemplate | undefined
  /** Whether the receivers that a request names replace those that its client has registered; not by default. */
  readonly replaces_registered?: boolean | undefined
  /** Whether the service sends webhooks about a task; always by default. */
  readonly if?: TextTemplate | undefined
  /** The events that are sent. */
  readonly events: { readonly [State in WebhookState]?: EventForm | undefined }
  /** Events that receivers can register for, but that are never sent. */
  readonly other_events?: readonly string[] | undefined
  /** The events that a request asks for; all by default. */
  readonly filter?: EventFilter | undefined
  /** The body; the task by default. */
  readonly body?: Template | undefined
  readonly headers?: JsonObject | undefined
  readonly signature?: SignatureTable | 'standard-webhooks' | undefined
  /** The signature for the receivers that a request names; by default, that of all receivers. */
  readonly request_signature?: SignatureTable | 'standard-webhooks' | undefined
  /** The signing secret. */
  readonly secret?: string | undefined
  readonly retries?: readonly number[] | undefined
  /** The statuses that end the retries; only 410 by default. */
  readonly stop_on?: '4xx' | undefined
  readonly timeout?: number | undefined
  /** Whether a retry waits at least for the time in the header `Retry-After` of the receiver; not by default. */
  readonly honor_retry_after?: boolean | undefined
}

/** How a service announces an event. */
interface EventForm {
  /** The service's name for the event. */
  readonly name: string
  /** The body; that of all events by default. */
  readonly body?: Template | undefined
  /** The shortest interval between two such events of a task, for `output` and `logs`. */
  readonly every?: number | undefined
  /** The waits before each further attempt; those of all events by default. */
  readonly retries?: readonly number[] | undefined
}

/** Where a request lists the events that it asks for. */
interface EventFilter {
  readonly from: TextTemplate
  /** The names of the events without such a list; all events by default. */
  readonly default?: readonly string[] | undefined
}

/** A signature of a text in a header. */
export interface SignatureTable {
  readonly header: string
  /**
   * `hmac-sha256` with the secret as its key by default; or, with a key pair that the secret determines, `ed25519`, or
   * `rs256-jwt` for a JSON Web Token.
   */
  readonly algorithm?: 'hmac-sha256' | 'ed25519' | 'rs256-jwt' | undefined
  /** The claims of a token. */
  readonly claims?: JsonObject | undefined
  /** The signed text, with `{{body}}`, `{{time}}` and `{{id}}`; the body by default. */
  readonly over?: TextTemplate | undefined
  /** `hex` by default. */
  readonly encoding?: 'hex' | 'base64' | undefined
  /** The value of the header, with `{{signature}}`, `{{time}}` and `{{id}}`; the signature by default. */
  readonly value?: TextTemplate | undefined
  /** Further headers that each attempt gets anew, such as one with `{{time}}`. */
  readonly headers?: Readonly<Record<string, TextTemplate>> | undefined
}

type WithoutPrefix<Event> = Event extends `task.${infer State}` ? State : never

/** The event of a webhook, as dialect files name it: what has happened to the task. */
type WebhookState = WithoutPrefix<TaskEvent>

/** How dialect files name an event. */
export function stateOf(event: TaskEvent): WebhookState {
  return event.slice('task.'.length) as WebhookState
}
