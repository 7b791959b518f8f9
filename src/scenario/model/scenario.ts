import type { MediaSettings } from '../../engine/assets/limits.js'
import type { JsonObject } from '../../engine/json.js'
import type { AuthSettings } from '../../engine/requests/accounts.js'
import type { RateLimit } from '../../engine/requests/rate-limiter.js'
import type { Price } from '../../engine/tasks/pricing.js'
import type { Kind, TaskError } from '../../engine/tasks/task.js'
import type { CanceledEvent } from '../../engine/webhooks/event.js'
import type { ReceiverSettings } from '../../engine/webhooks/receivers.js'
import type { SignatureFormat } from '../../engine/webhooks/signature.js'
import type { FindingSettings } from '../../inspect/findings/thresholds.js'
import type { ReplySettings } from '../language/schema/reply.js'
import type { ScenarioLayer } from '../language/schema/scenario.js'
import type { Delay } from './delay.js'

/** An error that a task may fail with. */
interface WeightedError extends TaskError {
  /** How often it is drawn beside the others; 1 unless given. */
  readonly weight?: number | undefined
}

/** The share of tasks that fail, and what with. */
export interface Failures {
  /** 0 to 1. */
  readonly rate: number
  /** One is drawn for each failure, a heavier one more often; a general one where none is given. */
  readonly errors?: readonly WeightedError[] | undefined
}

/** How tasks behave; what is not given is decided by whatever is less specific. */
export interface Behaviour {
  /** How long they are processed. */
  readonly delay?: Delay | undefined
  /** How many fail, and what with. */
  readonly failures?: Failures | undefined
  /** What a success costs. */
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
  /** What it makes; guessed from its id and the input unless given. */
  readonly kind?: Kind | undefined
}

/** An exception, as it is written. */
export type RuleSource = NonNullable<ScenarioLayer['rules']>[number]
/** How requests go wrong, as it is written. */
export type FaultSource = NonNullable<ScenarioLayer['faults']>[number]
/** How webhooks go wrong, as it is written. */
export type WebhookFaultSource = NonNullable<NonNullable<ScenarioLayer['webhooks']>['faults']>[number]
/** What a scenario promises, as it is written. */
export type Expectation = NonNullable<ScenarioLayer['expect']>[number]

/** How the state of a rate limit is told: by X-RateLimit-*, by the RateLimit fields of the IETF, or not at all. */
type RateLimitHeaders = 'x-ratelimit' | 'ratelimit' | 'none'

/** How a rejected request is worded: `{ error }`, RFC 9457, or `{ detail }`. */
export type ErrorStyle = 'envelope' | 'problem' | 'detail'

/** Whether an LLM task must have `messages` (strict) or may have a text `prompt` in their place (lenient). */
export type Validation = 'strict' | 'lenient'

/** How the API answers. */
interface ApiSettings {
  /** What a create request is answered with. */
  readonly createStatus: 200 | 201 | 202
  /** Whether tasks can be canceled; 404 where not. */
  readonly cancel: boolean
  /** How rejections are worded. */
  readonly errors: ErrorStyle
  /** What becomes of a request for a model that the scenario does not list. */
  readonly unknownModels: 'accept' | 'reject'
  /** How strictly the input of a task is checked. */
  readonly validation: Validation
  /** Whether a create request is answered with `processing` even where the task has to wait. */
  readonly hideQueue: boolean
  /** How many values the JSON of a request may hold. */
  readonly maxValues: number
  /** How the state of a rate limit is told. */
  readonly rateLimitHeaders: RateLimitHeaders
}

/** How many tasks of a pool may run at a time, and how many may wait; no limit where undefined. */
export interface PoolLimit {
  /** How many may run. */
  readonly running?: number | undefined
  /** How many may wait. */
  readonly queued?: number | undefined
}

/** The limits of everything, and of each kind, model and API key. */
export interface CapacitySettings extends PoolLimit {
  /** Of all models of a kind together. */
  readonly kinds?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By model id or pattern; each model that matches has a pool of its own. */
  readonly models?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** By API key or pattern; each key that matches has a pool of its own. */
  readonly keys?: Readonly<Record<string, PoolLimit | undefined>> | undefined
  /** What a create request is answered with for which there is no room. */
  readonly overflow: {
    /** The status. */
    readonly status: 429 | 503
    /** What Retry-After says, in milliseconds. */
    readonly retryAfter: number
  }
}

/** How webhooks are signed and sent. */
export interface WebhookSettings {
  /** What they are signed with. */
  readonly secret: string
  /** What was signed with before a rotation. */
  readonly previousSecret: string
  /** Who gets those of every task. */
  readonly receivers: readonly ReceiverSettings[]
  /** Milliseconds after which an attempt has failed. */
  readonly timeout: number
  /** The waits before each further attempt, in milliseconds. */
  readonly retries: readonly number[]
  /** Whether a retry waits at least as long as the receiver asks for by `Retry-After`. */
  readonly honorsRetryAfter: boolean
  /** How the signature is written. */
  readonly signature: SignatureFormat
  /** What a canceled task is told as, if it is told at all. */
  readonly canceledEvent: CanceledEvent
  /** What goes wrong with them; the first rule that holds decides. */
  readonly faults: readonly WebhookFaultSource[]
}

/** How long outputs, and the URLs that lead to them, are good for. */
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
  /** What it says of itself; may be empty. */
  readonly description: string
  /** As it was written as a text or an object; null after a patch, undefined for a shipped scenario. */
  readonly text: string | null | undefined
  /** What it was completed from, all that it builds on included. */
  readonly layer: ScenarioLayer
  /** The root of all chance. */
  readonly seed: string
  /** Whether X-Sim headers and [[sim ...]] in inputs are followed. */
  readonly directives: boolean
  /** Which API keys are accepted, and what each may spend. */
  readonly auth: AuthSettings
  /** How the API answers. */
  readonly api: ApiSettings
  /** How every model behaves. */
  readonly defaults: ModelBehaviour
  /** How the models of a kind behave. */
  readonly kinds: Readonly<Partial<Record<Kind, ModelBehaviour | undefined>>>
  /** How models behave, by id or pattern. */
  readonly models: Readonly<Record<string, ModelEntry>>
  /** What is known of models before any scenario speaks; it does not make a model a listed one. */
  readonly catalog: Readonly<Record<string, ModelEntry>>
  /** Exceptions; the first one that matches a task decides. */
  readonly rules: readonly RuleSource[]
  /** How many tasks run at a time. */
  readonly capacity: CapacitySettings
  /** How many requests each API key may send. */
  readonly rateLimits: readonly RateLimit[]
  /** How requests go wrong; the first one that holds and is no `pass` decides. */
  readonly faults: readonly FaultSource[]
  /** How webhooks are signed and sent, to whom, and what goes wrong with them. */
  readonly webhooks: WebhookSettings
  /** How long outputs, and the URLs that lead to them, are good for. */
  readonly outputs: OutputSettings
  /** What counts as a mistake of the client. */
  readonly findings: FindingSettings
  /** What the scenario promises, for `tasksim validate` to try out. */
  readonly expect: readonly Expectation[]
}
