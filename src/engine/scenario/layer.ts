import type { DurationText } from '../clock/durations.js'
import type { JsonObject } from '../json.js'
import type { Step } from '../requests/fault.js'
import type { AuthSettings, RateLimit } from '../requests/key-limits.js'
import type { OperationName, SERVICE_METHODS } from '../requests/operations.js'
import type { Outcome, Status, TaskError } from '../tasks/task.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'
import type { ReceiverSettings } from '../webhooks/receivers/receiver.js'
import type { SignatureFormat } from '../webhooks/signing/signature.js'
import type { Behavior, KindEntry, ModelBehavior, ModelEntry } from './behavior.js'
import type { Bounds } from './bounds.js'
import type { Overflow, PoolLimits } from './capacity.js'
import type { FrequencyConditions, TaskConditions } from './conditions.js'
import type { CanceledEvent, EventName } from './events.js'
import type { Thresholds } from './findings.js'

/** Makes every field optional. */
export type Some<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined }

/** A rule as a scenario file defines it. */
export interface RuleSource {
  readonly name?: string | undefined
  readonly when?: (TaskConditions & { readonly occurrence?: number | Bounds | undefined }) | undefined
  readonly then: Behavior & {
    readonly outcome?: Outcome | undefined
    readonly error?: TaskError | undefined
  }
}

interface RequestConditions extends TaskConditions, FrequencyConditions {
  readonly operation?: OperationName | readonly OperationName[] | undefined
  readonly method?: (typeof SERVICE_METHODS)[number] | undefined
}

/** A fault rule as a scenario file defines it. A list of faults applies one fault to each matching request. */
export interface FaultSource {
  readonly name?: string | undefined
  readonly when?: RequestConditions | undefined
  readonly then: Step | readonly Step[]
}

interface DeliveryConditions extends TaskConditions, FrequencyConditions {
  readonly receiver?: string | undefined
  readonly event?: EventName | undefined
}

/** A webhook fault rule as a scenario file defines it. */
export interface WebhookFaultSource {
  readonly name?: string | undefined
  readonly when?: DeliveryConditions | undefined
  readonly then: WebhookFault
}

/** A receiver as a scenario file defines it: a URL, or a URL with settings. */
export type ReceiverSource =
  | string
  | (Omit<ReceiverSettings, 'previousSecret'> & { readonly previous_secret?: string | undefined })

interface ExpectedWebhook {
  readonly event?: string | undefined
  readonly signature?: 'right' | 'wrong' | 'missing' | 'previous' | 'unsigned' | undefined
  readonly before_answer?: boolean | undefined
}

/** An expectation about the behavior of the scenario. Durations are text. */
export interface Expectation {
  readonly after?: DurationText | undefined
  readonly create: {
    readonly dialect?: string | undefined
    readonly model: string
    readonly input: JsonObject
  }
  readonly repeat?: number | undefined
  readonly same?: boolean | undefined
  readonly every?: DurationText | undefined
  readonly answers?: readonly (number | 'none')[] | undefined
  readonly at?: Readonly<Record<string, JsonObject>> | undefined
  readonly outcomes?: Some<Record<Exclude<Status, 'queued'>, Bounds>> | undefined
  readonly errors?: Readonly<Record<string, Bounds>> | undefined
  readonly queueing?: Readonly<Record<string, Bounds>> | undefined
  readonly processing?: Readonly<Record<string, Bounds>> | undefined
  readonly cost?: Bounds | undefined
  readonly tasks?: number | Bounds | undefined
  readonly webhooks?: readonly (string | ExpectedWebhook)[] | undefined
}

/** How the response reports the state of a rate limit: X-RateLimit-*, the RateLimit fields of the IETF, or not at all. */
export type RateLimitHeaders = 'x-ratelimit' | 'ratelimit' | 'none'

/** The body of a rejected request: `{ error }`, RFC 9457, or `{ detail }`. */
export type ErrorStyle = 'envelope' | 'problem' | 'detail'

/** Whether an LLM task requires `messages` (strict) or also accepts a text `prompt` (lenient). */
export type Validation = 'strict' | 'lenient'

/** The `api` section. */
export interface ApiLayer {
  readonly create_status: 200 | 201 | 202
  readonly cancel: boolean
  readonly errors: ErrorStyle
  readonly unknown_models: 'accept' | 'reject'
  readonly validation: Validation
  readonly hide_queue: boolean
  readonly max_values: number
  readonly rate_limit_headers: RateLimitHeaders
}

/** The `capacity.overflow` section. */
export interface OverflowLayer {
  readonly status: Overflow['status']
  readonly retry_after: number
}

interface CapacityLayer extends PoolLimits {
  readonly overflow?: Some<OverflowLayer> | undefined
}

/** The `webhooks` section. */
export interface WebhookLayer {
  readonly secret: string
  readonly previous_secret: string
  readonly receivers: readonly ReceiverSource[]
  readonly timeout: number
  readonly retries: readonly number[]
  readonly honor_retry_after: boolean
  readonly signature: SignatureFormat
  readonly canceled_event: CanceledEvent
  readonly faults: readonly WebhookFaultSource[]
}

/** The content of a dialect file. Only the dialects know its other fields. */
export interface OwnDialect {
  readonly name: string
}

/** An entry of the `dialects` section. */
export interface DialectLayer {
  /** The path of a dialect file. */
  readonly file: string
  /** The content of the file, if tasksim has read it. */
  readonly table: OwnDialect
  readonly secret: string
  readonly previous_secret: string
}

/** The `outputs` section. */
export interface OutputLayer {
  readonly lifetime: number
  readonly renew: boolean
  readonly retention: number
}

/** The `findings` section. */
export interface FindingLayer {
  readonly ignore: readonly string[]
  readonly thresholds: SomeThresholds
}

/** Thresholds with optional fields. */
type SomeThresholds = Some<
  Omit<Thresholds, 'poll_interval'> & { readonly poll_interval: Some<Thresholds['poll_interval']> }
>

/** The version of the `learned` section. */
export const LEARNED_VERSION = 1

/** The `learned` section: what `tasksim learn` used. */
interface LearnedLayer {
  readonly version: typeof LEARNED_VERSION
  /** How many successful and failed tasks of each model. */
  readonly tasks: Readonly<Record<string, number>>
}

/** One checked layer of a scenario. Durations are milliseconds, and every field may be missing. */
export interface ScenarioLayer {
  readonly extends?: string | undefined
  readonly description?: string | undefined
  readonly directives?: 'on' | 'off' | undefined
  readonly seed?: string | undefined
  readonly auth?: Some<AuthSettings> | undefined
  readonly api?: Some<ApiLayer> | undefined
  readonly defaults?: ModelBehavior | undefined
  readonly kinds?: Readonly<Record<string, KindEntry | undefined>> | undefined
  readonly models?: Readonly<Record<string, ModelEntry>> | undefined
  readonly rules?: readonly RuleSource[] | undefined
  readonly capacity?: CapacityLayer | undefined
  readonly rate_limits?: readonly RateLimit[] | undefined
  readonly faults?: readonly FaultSource[] | undefined
  readonly webhooks?:
    | (Some<Omit<WebhookLayer, 'signature'>> & { readonly signature?: Some<SignatureFormat> | undefined })
    | undefined
  readonly dialects?: Readonly<Record<string, Some<DialectLayer>>> | undefined
  readonly outputs?: Some<OutputLayer> | undefined
  readonly findings?: Some<FindingLayer> | undefined
  readonly learned?: LearnedLayer | undefined
  readonly expect?: readonly Expectation[] | undefined
}
