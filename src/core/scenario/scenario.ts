import type { MediaSettings } from '../asset/limits.js'
import type { FindingSettings } from '../findings/thresholds.js'
import type { Price } from '../task/pricing.js'
import type { JsonObject, Kind, TaskError } from '../task/task.js'
import type { AuthSettings } from '../traffic/accounts.js'
import type { RateLimit } from '../traffic/rate-limiter.js'
import type { CanceledEvent } from '../webhook/event.js'
import type { ReceiverSettings } from '../webhook/receivers.js'
import type { SignatureFormat } from '../webhook/signature.js'
import type { Delay } from './delay.js'
import type { ScenarioLayer } from './schema.js'
import type { ReplySettings } from './schema-reply.js'

/** The share of tasks that fail, and what with. */
export interface Failures {
  readonly rate: number
  readonly errors?: readonly (TaskError & { readonly weight?: number | undefined })[] | undefined
}

/** How tasks behave; what is not given is decided by whatever is less specific. */
export interface Behaviour {
  readonly delay?: Delay | undefined
  readonly failures?: Failures | undefined
  readonly price?: Price | undefined
  /** Handed out instead of the kind's own output. */
  readonly output?: JsonObject | undefined
  /** What an LLM answers. */
  readonly reply?: ReplySettings | undefined
  /** The paths of files that are handed out instead of made ones. */
  readonly files?: readonly string[] | undefined
}

/** How the models of a place in the scenario behave, and how they take what they are asked for. */
interface ModelBehaviour extends Behaviour, MediaSettings {}

/** What is known of a model, under its id or a pattern. */
export interface ModelEntry extends ModelBehaviour {
  readonly kind?: Kind | undefined
}

export type RuleSource = NonNullable<ScenarioLayer['rules']>[number]
export type FaultSource = NonNullable<ScenarioLayer['faults']>[number]
export type MischiefSource = NonNullable<NonNullable<ScenarioLayer['webhooks']>['mischief']>[number]
export type Expectation = NonNullable<ScenarioLayer['expect']>[number]

/** How the state of a rate limit is told: by X-RateLimit-*, by the RateLimit fields of the IETF, or not at all. */
type RateLimitHeaders = 'x-ratelimit' | 'ratelimit' | 'none'

/** How a rejected request is worded: `{ error }`, RFC 9457, or `{ detail }`. */
export type ErrorStyle = 'envelope' | 'problem' | 'detail'

interface ApiSettings {
  readonly createStatus: 200 | 201 | 202
  readonly cancel: boolean
  readonly errors: ErrorStyle
  readonly unknownModels: 'accept' | 'reject'
  /** Whether a create request is answered with `processing` even where the task has to wait. */
  readonly hideQueue: boolean
  readonly rateLimitHeaders: RateLimitHeaders
}

/** How many tasks of a pool may run at a time, and how many may wait; no limit where undefined. */
export interface PoolLimit {
  readonly running?: number | undefined
  readonly queued?: number | undefined
}

/** The limits of everything, and of each kind, model and API key. */
export interface CapacitySettings extends PoolLimit {
  readonly kinds?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By model id or pattern; each model that matches has a pool of its own. */
  readonly models?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By API key or pattern; each key that matches has a pool of its own. */
  readonly keys?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** What a create request is answered with for which there is no room. */
  readonly overflow: { readonly status: 429 | 503; readonly retryAfter: number }
}

export interface WebhookSettings {
  readonly secret: string
  /** What was signed with before a rotation. */
  readonly previousSecret: string
  readonly receivers: readonly ReceiverSettings[]
  /** Milliseconds after which an attempt has failed. */
  readonly timeout: number
  /** The waits before each further attempt, in milliseconds. */
  readonly retries: readonly number[]
  readonly signature: SignatureFormat
  readonly canceledEvent: CanceledEvent
  readonly mischief: readonly MischiefSource[]
}

export interface OutputSettings {
  /** Milliseconds for which an output URL is valid. */
  readonly lifetime: number
  /** Whether a later GET of the task gives a fresh URL. */
  readonly renew: boolean
  /** Milliseconds for which outputs are kept. */
  readonly retention: number
}

/** A whole scenario: plain data in which every setting has its value. */
export interface Scenario {
  /** The name of a shipped one, the path of a file, or `inline`. */
  readonly name: string
  readonly description: string
  /** As it was written, where it was written as a text or an object. */
  readonly text: string | undefined
  /** What it was completed from, all that it builds on included. */
  readonly layer: ScenarioLayer
  readonly seed: string
  /** Whether X-Sim headers and [[sim ...]] in inputs are followed. */
  readonly directives: boolean
  readonly auth: AuthSettings
  readonly api: ApiSettings
  readonly defaults: ModelBehaviour
  readonly kinds: Readonly<Partial<Record<Kind, ModelBehaviour | undefined>>>
  readonly models: Readonly<Record<string, ModelEntry>>
  /** What is known of models before any scenario speaks; it does not make a model a listed one. */
  readonly catalog: Readonly<Record<string, ModelEntry>>
  readonly rules: readonly RuleSource[]
  readonly capacity: CapacitySettings
  readonly rateLimits: readonly RateLimit[]
  readonly faults: readonly FaultSource[]
  readonly webhooks: WebhookSettings
  readonly outputs: OutputSettings
  readonly findings: FindingSettings
  readonly expect: readonly Expectation[]
}
