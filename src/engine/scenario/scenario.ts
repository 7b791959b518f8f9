import type { ExpectedResult } from '../exploration/run-result.js'
import type { AuthSettings, RateLimit } from '../requests/key-limits.js'
import type { RecordedTasks } from '../tasks/recorded-tasks.js'
import type { Kind } from '../tasks/task.js'
import type { CanceledEvent } from '../webhooks/events/task-event.js'
import type { ReceiverSettings } from '../webhooks/receivers/receiver.js'
import type { SignatureFormat } from '../webhooks/signing/signature.js'
import type { DefaultBehavior, KindEntry, ModelEntry } from './behavior.js'
import type { FaultSource, RuleSource, WebhookFaultSource } from './rules.js'

/** How the API responds. */
interface ApiSettings {
  /** The status of the response to a create request. */
  readonly create_status: 200 | 201 | 202
  /** Whether clients can cancel tasks. If not, the cancel operation responds with 404. */
  readonly cancel: boolean
  /** The body of a rejected request: `{ error }`, RFC 9457, or `{ detail }`. */
  readonly errors: 'envelope' | 'problem' | 'detail'
  /** Whether the API accepts a model that the scenario does not list. */
  readonly unknown_models: 'accept' | 'reject'
  /** Whether an LLM task requires `messages` (strict) or also accepts a text `prompt` (lenient). */
  readonly validation: 'strict' | 'lenient'
  /** Whether the response to a create request shows a queued task as `processing`. */
  readonly hide_queue: boolean
  /** The maximum number of values in the JSON of a request. */
  readonly max_values: number
  /** How responses report the state of a rate limit: X-RateLimit-*, the RateLimit fields of the IETF, or not at all. */
  readonly rate_limit_headers: 'x-ratelimit' | 'ratelimit' | 'none'
}

/** How the simulator signs and sends webhooks. */
export interface WebhookSettings {
  /** The signing secret. */
  readonly secret: string
  /** The signing secret before a rotation. */
  readonly previous_secret: string
  /** The receivers of the webhooks of every task. */
  readonly receivers: readonly ReceiverSettings[]
  /** The timeout of an attempt, in milliseconds. */
  readonly timeout: number
  /** The delay before each retry, in milliseconds. */
  readonly retries: readonly number[]
  /** Whether a retry waits at least for the time that the receiver requests with `Retry-After`. */
  readonly honor_retry_after: boolean
  /** The format of the signature. */
  readonly signature: SignatureFormat
  /** The event of a canceled task, or `none`. */
  readonly canceled_event: CanceledEvent
  /** Webhook faults. The first rule that matches a delivery applies. */
  readonly faults: readonly WebhookFaultSource[]
}

/** The content of a dialect file. Only the dialects know its other fields. */
interface OwnDialect {
  /** The name of the dialect. */
  readonly name: string
}

/** The settings of the format of a service. */
export interface DialectSettings {
  /** The path of its file, if it is a dialect of the user. */
  readonly file?: string | undefined
  /** The content of the file, if tasksim has read it. */
  readonly table?: OwnDialect | undefined
  /** The signing secret of its webhooks; that of the format if undefined. */
  readonly secret?: string | undefined
  /** The signing secret before a rotation; that of the format if undefined. */
  readonly previous_secret?: string | undefined
}

/** How long outputs and their URLs are valid. */
export interface OutputSettings {
  /** The validity of an output URL, in milliseconds; that of the wire format if undefined. */
  readonly lifetime?: number | undefined
  /** Whether a later GET of the task returns a new URL. */
  readonly renew: boolean
  /** How long the simulator keeps outputs, in milliseconds; as long as the wire format says if undefined. */
  readonly retention?: number | undefined
}

/** A scenario that takes part in a complete one: the scenario itself, or one that it extends. */
export interface ScenarioSource {
  /** The name of a shipped scenario, the path of a file, or `inline`. */
  readonly name: string
  /** Whether tasksim ships it. */
  readonly isShipped: boolean
  /** The number of its rules, faults and webhook faults. */
  readonly lengths: Readonly<Record<'rules' | 'faults' | 'webhooks.faults', number>>
  /** Their lines in its text, if there is one. */
  readonly lines?: Readonly<Record<'rules' | 'faults' | 'webhooks.faults', readonly number[]>> | undefined
}

/**
 * A complete scenario: plain data in which every setting has a value, under its name in scenario files. Durations are
 * milliseconds.
 */
export interface ScenarioSettings {
  /** The name of a shipped scenario, the path of a file, or `inline`. */
  readonly name: string
  /** The description; may be empty. */
  readonly description: string
  /** The source text, or the source object as JSON. Null after a patch; undefined for a shipped scenario. */
  readonly text: string | null | undefined
  /** The scenario and those that it extends, each with the number of its rules; the lists have them in this order. */
  readonly sources: readonly ScenarioSource[]
  /** The seed of all random values. */
  readonly seed: string
  /** Whether X-Sim headers and [[sim ...]] in inputs have an effect. */
  readonly directives: 'on' | 'off'
  /** The accepted API keys and their credits. */
  readonly auth: AuthSettings
  /** How the API responds. */
  readonly api: ApiSettings
  /** How every model behaves. */
  readonly defaults: DefaultBehavior
  /** How the models of a kind behave, and the kinds that the scenario defines. */
  readonly kinds: Readonly<Record<string, KindEntry | undefined>>
  /** How models behave, by id or pattern. */
  readonly models: Readonly<Record<string, ModelEntry>>
  /** Default settings of models. A model in the catalog does not count as listed. */
  readonly catalog: Readonly<Record<string, ModelEntry>>
  /** Exceptions. The first rule that matches a task applies. */
  readonly rules: readonly RuleSource[]
  /** How many tasks may run at the same time. */
  readonly capacity: CapacitySettings
  /** How many requests each API key may send. */
  readonly rate_limits: readonly RateLimit[]
  /** Faults of requests. The first rule that matches a request and is not `pass` applies. */
  readonly faults: readonly FaultSource[]
  /** How the simulator signs and sends webhooks, their receivers and their faults. */
  readonly webhooks: WebhookSettings
  /** The settings of the formats of other services, by name. */
  readonly dialects: Readonly<Record<string, DialectSettings>>
  /** Whether services serve what has ended, or reject it as today. */
  readonly ended: 'served' | 'as-today'
  /** How long outputs and their URLs are valid. */
  readonly outputs: OutputSettings
  /** The findings to report. */
  readonly findings: FindingSettings
  /** The results of explorations that are right, although the rules say otherwise. */
  readonly explore: readonly ExpectedResult[]
  /** The tasks of a real service that new tasks repeat, if the scenario comes from a recording. */
  readonly recorded?: RecordedTasks | undefined
}

/** How many tasks of a pool may run and be queued at the same time. A missing field sets no limit. */
export interface PoolLimit {
  /** The maximum number of running tasks. */
  readonly running?: number | undefined
  /** The maximum number of queued tasks. */
  readonly queued?: number | undefined
}

/** The limits of all tasks, and of each kind, model and API key. */
export interface PoolLimits extends PoolLimit {
  /** The limits of each kind, for all its models together. */
  readonly kinds?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By model id or pattern. Each model that matches a pattern has its own pool. */
  readonly models?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By API key or pattern. Each key that matches a pattern has its own pool. */
  readonly keys?: Readonly<Record<string, PoolLimit | undefined>> | undefined
}

/** The response to a create request when the queue is full. */
interface Overflow {
  /** The status. */
  readonly status: 429 | 503
  /** The value of Retry-After, in milliseconds. */
  readonly retry_after: number
}

/** The limits, and the response to a request that exceeds them. */
export interface CapacitySettings extends PoolLimits {
  /** The response to a request that exceeds a limit. */
  readonly overflow: Overflow
}

/** The limits above which behavior counts as a mistake. Times are milliseconds. */
export interface Thresholds {
  /** The shortest allowed interval between polls, by kind of task. */
  readonly poll_interval: Readonly<Record<Kind, number>>
  /** How early polls and retries may come, as a share of the interval, 0 to 1. */
  readonly tolerance: number
  /** How many polls of one task must be too fast before they count as a mistake. */
  readonly fast_polls: number
  /** The allowed number of consecutive polls of a finished task. */
  readonly polls_after_end: number
  /** How long after its creation a client may poll a task. */
  readonly longest_wait: number
  /** The number of consecutive failed polls after which a client may give up. */
  readonly failed_polls: number
  /** The time within which an identical request counts as a retry. */
  readonly retry_within: number
  /** The time after which an omission of the client counts as a mistake. */
  readonly silence: number
  /** The number of times that a client may download the same file. */
  readonly downloads: number
  /** The real time in which a receiver must acknowledge a webhook. */
  readonly webhook_answer: number
}

/** The `findings` section of a scenario. */
export interface FindingSettings {
  /** The ids of rules to skip. */
  readonly ignore: readonly string[]
  /** When something counts as a mistake. */
  readonly thresholds: Thresholds
}
