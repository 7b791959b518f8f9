import type { JsonObject } from '../../../engine/json.js'
import type { OutputTimes } from '../../../engine/tasks/kinds.js'
import type { Status } from '../../../engine/tasks/task.js'
import type { Template, TextTemplate } from '../template/template.js'
import type { TableOperation } from './operation-table.js'
import type { IdForm } from './shared-forms.js'
import type { WebhookTable } from './webhook-table.js'

/** The description of a wire format: a checked dialect file. Durations are milliseconds. */
export interface DialectTable {
  /** The name in options, scenarios and paths. */
  readonly name: string
  /** The name of the service. */
  readonly title: string
  /** The hosts that the service's own clients call. */
  readonly hosts?: readonly DialectHost[] | undefined
  /** The path at which clients send requests for any of the hosts, and the header with the URL. */
  readonly forward?: ForwardedPath | undefined
  /** The interval of polls that the service recommends; by default, it depends on the kind of task. */
  readonly poll_interval?: number | undefined
  /** The start of all paths; empty by default. */
  readonly prefix?: string | undefined
  /** Further starts of the same paths. */
  readonly aliases?: readonly string[] | undefined
  /** Says where the operations are, for the error of an unknown path; by default, the error names the nearest ones. */
  readonly help?: string | undefined
  /** Whether the sections `api` and `webhooks` of a scenario decide parts of the format; by default, the table does. */
  readonly configurable?: boolean | undefined
  /** The values of `{{base}}` for clients whose User-Agent contains a string, such as `acme-sdk/`. */
  readonly base_for?: Readonly<Record<string, string>> | undefined
  /** The values that parameters in paths may have, by their names; any by default. */
  readonly parameters?: Readonly<Record<string, readonly string[]>> | undefined
  /** Where a request carries its API key; in the header Authorization by default. */
  readonly key?: KeyForm | undefined
  /** The headers that every request must have, besides that of the key. */
  readonly require_headers?: readonly string[] | undefined
  /** The form of the ids of tasks. */
  readonly ids: IdForm
  /** The word of each state, and the fields that a task has in that state only. */
  readonly statuses: Readonly<Record<Status, StatusForm>>
  /** A task, in every state. */
  readonly task: JsonObject
  /** Tasks of other types, by the name of the type. */
  readonly objects?: Readonly<Record<string, ObjectTable>> | undefined
  /** The type of the tasks, in the table of one of `objects`. */
  readonly object?: string | undefined
  /** The fields of a task whose data are not kept any more, in place of those with the same names. */
  readonly removed?: JsonObject | undefined
  /** How long outputs are valid, and how answers about one task give its files; by default, as URLs. */
  readonly outputs?: OutputForm | undefined
  /** The headers of every answer about one task. */
  readonly headers?: Readonly<Record<string, TextTemplate>> | undefined
  /** `{{result}}`, by the kind of the model; the output by default. */
  readonly results?: Readonly<Record<string, Template>> | undefined
  /** An entry of `{{file_list}}`. */
  readonly file?: JsonObject | undefined
  /** An entry of `{{log_lines}}`. */
  readonly log_line?: JsonObject | undefined
  /** An uploaded file; its URL by default. */
  readonly upload?: JsonObject | undefined
  /** A receiver that a client has registered; its id and URL by default. */
  readonly receiver?: JsonObject | undefined
  /** The body of a rejected request. */
  readonly error: ErrorForm
  /** The names of the headers with the state of a rate limit; those of the scenario by default. */
  readonly rate_limit_headers?: LimitHeaderForm | undefined
  /** What the service does, by method and path. */
  readonly operations: readonly TableOperation[]
  /** When, where and how the service reports the events of a task; never by default. */
  readonly webhook?: WebhookTable | undefined
}

/** Tasks of another type: what differs from the main one. */
interface ObjectTable extends Pick<DialectTable, 'ids' | 'statuses' | 'task' | 'poll_interval' | 'headers'> {
  readonly webhook?: Pick<WebhookTable, 'if' | 'events' | 'body'> | undefined
}

/** A host of a service. */
export interface DialectHost {
  /** Such as `https://api.example.com`. */
  readonly origin: string
  /** The start of the paths of its operations in the dialect; empty if the service has one host. */
  readonly path: string
}

/** Where requests for other URLs of the service arrive, as at a proxy. */
export interface ForwardedPath {
  readonly path: string
  /** The header with the URL for which a request is. */
  readonly header: string
}

/** The names of the headers with the state of a rate limit. */
export interface LimitHeaderForm {
  /** The number of requests per period. */
  readonly limit?: string | undefined
  /** The number of requests that are left. */
  readonly remaining?: string | undefined
  /** The time until all requests are available again. */
  readonly reset?: string | undefined
  /** `duration` if the reset is a string such as `6m0s` or `20ms`; by default, it is a number of whole seconds. */
  readonly reset_as?: 'duration' | undefined
}

/** Where a request carries its API key. */
interface KeyForm {
  readonly header?: string | undefined
  /** The word before the key, such as `Bearer`. */
  readonly scheme?: string | undefined
  /** The query parameter that may hold the key if the header is missing. */
  readonly query?: string | undefined
}

/** How long the outputs of tasks are valid, and how answers give their files. */
interface OutputForm extends OutputTimes {
  /** The URL of a file in answers; the signed URL by default. */
  readonly url?: TextTemplate | undefined
  /** As data URLs to clients that reach tasksim over plain HTTP. */
  readonly data_urls?: 'over-http' | undefined
  /** The kinds whose files are data URLs for clients whose User-Agent contains a string, such as `acme-sdk/`. */
  readonly data_urls_for?: Readonly<Record<string, readonly string[]>> | undefined
  /** `text` if answers about one running task have the beginning of its text. */
  readonly before_end?: 'text' | undefined
}

/** How a task in a state looks. */
export interface StatusForm {
  readonly word: string
  /** Further words, by the code of the task's error. */
  readonly by_error?: Readonly<Record<string, string>> | undefined
  readonly fields?: JsonObject | undefined
  /** The word of a queued task while others wait before it. */
  readonly behind?: string | undefined
  /** The codes of the service, by those of scenarios, for `{{error.code}}` of a failed task. */
  readonly codes?: Readonly<Record<string, string>> | undefined
  /** Other forms of an ended task, the first of which applies whose condition holds. */
  readonly variants?: readonly StatusVariant[] | undefined
}

/** Another form of an ended task. */
export interface StatusVariant {
  /** A value that is neither missing nor null nor false. */
  readonly if: TextTemplate
  readonly word: string
  /** The fields that such a task has besides those of the state, or in their place. */
  readonly fields?: JsonObject | undefined
  /** The name of its webhook, if it differs from that of the state. */
  readonly event?: string | undefined
}

/** How a rejection looks. */
export interface ErrorForm {
  readonly body: Template
  /** Other bodies, by status. */
  readonly by_status?: Readonly<Record<string, Template>> | undefined
  /** Other statuses, bodies and headers, by the code of tasksim. */
  readonly by_code?: Readonly<Record<string, CodeForm>> | undefined
  readonly content_type?: string | undefined
  /** The headers of every rejection. */
  readonly headers?: Readonly<Record<string, TextTemplate>> | undefined
  /** The values of `{{type}}` by status. */
  readonly types?: Readonly<Record<string, string>> | undefined
}

/** How rejections with one code differ from others. */
export interface CodeForm {
  readonly status?: number | undefined
  /** Merged into the body of the status; a string or a list replaces it. */
  readonly body?: Template | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}
