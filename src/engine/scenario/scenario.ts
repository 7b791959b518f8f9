import type { AuthSettings, RateLimit } from '../requests/key-limits.js'
import type { RecordedTasks } from '../tasks/recorded-tasks.js'
import type { ReceiverSettings } from '../webhooks/receivers/receiver.js'
import type { SignatureFormat } from '../webhooks/signing/signature.js'
import type { DefaultBehavior, KindEntry, ModelEntry } from './behavior.js'
import type { CapacitySettings } from './capacity.js'
import type { CanceledEvent } from './events.js'
import type { FindingSettings } from './findings.js'
import type {
  ErrorStyle,
  Expectation,
  FaultSource,
  OwnDialect,
  RateLimitHeaders,
  RuleSource,
  ScenarioLayer,
  Validation,
  WebhookFaultSource,
} from './layer.js'

/** How the API responds. */
interface ApiSettings {
  /** The status of the response to a create request. */
  readonly createStatus: 200 | 201 | 202
  /** Whether clients can cancel tasks. If not, the cancel operation responds with 404. */
  readonly cancel: boolean
  /** The body of a rejected request. */
  readonly errors: ErrorStyle
  /** Whether the API accepts a model that the scenario does not list. */
  readonly unknownModels: 'accept' | 'reject'
  /** How strictly the API checks the input of a task. */
  readonly validation: Validation
  /** Whether the response to a create request shows a queued task as `processing`. */
  readonly hideQueue: boolean
  /** The maximum number of values in the JSON of a request. */
  readonly maxValues: number
  /** How responses report the state of a rate limit. */
  readonly rateLimitHeaders: RateLimitHeaders
}

/** How the simulator signs and sends webhooks. */
export interface WebhookSettings {
  /** The signing secret. */
  readonly secret: string
  /** The signing secret before a rotation. */
  readonly previousSecret: string
  /** The receivers of the webhooks of every task. */
  readonly receivers: readonly ReceiverSettings[]
  /** The timeout of an attempt, in milliseconds. */
  readonly timeout: number
  /** The delay before each retry, in milliseconds. */
  readonly retries: readonly number[]
  /** Whether a retry waits at least for the time that the receiver requests with `Retry-After`. */
  readonly honorsRetryAfter: boolean
  /** The format of the signature. */
  readonly signature: SignatureFormat
  /** The event of a canceled task, or `none`. */
  readonly canceledEvent: CanceledEvent
  /** Webhook faults. The first rule that matches a delivery applies. */
  readonly faults: readonly WebhookFaultSource[]
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
  readonly previousSecret?: string | undefined
}

/** How long outputs and their URLs are valid. */
export interface OutputSettings {
  /** The validity of an output URL, in milliseconds; that of the wire format if undefined. */
  readonly lifetime: number | undefined
  /** Whether a later GET of the task returns a new URL. */
  readonly renew: boolean
  /** How long the simulator keeps outputs, in milliseconds; as long as the wire format says if undefined. */
  readonly retention: number | undefined
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

/** A complete scenario: plain data in which every setting has a value. */
export interface Scenario {
  /** The name of a shipped scenario, the path of a file, or `inline`. */
  readonly name: string
  /** The description; may be empty. */
  readonly description: string
  /** The source text, or the source object as JSON. Null after a patch; undefined for a shipped scenario. */
  readonly text: string | null | undefined
  /** The scenario merged with the scenarios that it extends, without defaults. */
  readonly layer: ScenarioLayer
  /** The scenario and those that it extends, each with the number of its rules; the lists have them in this order. */
  readonly sources: readonly ScenarioSource[]
  /** The seed of all random values. */
  readonly seed: string
  /** Whether X-Sim headers and [[sim ...]] in inputs have an effect. */
  readonly directives: boolean
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
  readonly rateLimits: readonly RateLimit[]
  /** Faults of requests. The first rule that matches a request and is not `pass` applies. */
  readonly faults: readonly FaultSource[]
  /** How the simulator signs and sends webhooks, their receivers and their faults. */
  readonly webhooks: WebhookSettings
  /** The settings of the formats of other services, by name. */
  readonly dialects: Readonly<Record<string, DialectSettings>>
  /** How long outputs and their URLs are valid. */
  readonly outputs: OutputSettings
  /** The findings to report. */
  readonly findings: FindingSettings
  /** The expectations that `tasksim validate` checks. */
  readonly expect: readonly Expectation[]
  /** The tasks of a real service that new tasks repeat, if the scenario comes from a recording. */
  readonly recorded?: RecordedTasks | undefined
}
