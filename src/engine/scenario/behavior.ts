import type { MediaSettings } from '../assets/media-spec.js'
import type { JsonObject } from '../json.js'
import type { Price } from '../tasks/pricing.js'
import type { Kind, TaskError } from '../tasks/task.js'
import type { Delay, Spread } from './delay.js'
import type { ReplySettings } from './reply.js'

/** An error with which a task may fail. */
interface WeightedError extends TaskError {
  /** Its frequency relative to the other errors; 1 by default. */
  readonly weight?: number | undefined
}

/** The share of tasks that fail, and their errors. */
export interface Failures {
  /** 0 to 1. */
  readonly rate: number
  /** Each failure draws one of these by weight. Without a list, it has a general error. */
  readonly errors?: readonly WeightedError[] | undefined
}

/** How tasks behave. A less specific level supplies missing fields. */
export interface Behavior {
  /** How long a task stays queued before processing starts, even if nothing limits the number of running tasks. */
  readonly queueing?: Spread | undefined
  /** How long processing takes. */
  readonly delay?: Delay | undefined
  /** How many tasks fail, and their errors. */
  readonly failures?: Failures | undefined
  /** The cost of a successful task. */
  readonly price?: Price | undefined
  /** Replaces the output of the kind. */
  readonly output?: JsonObject | undefined
  /** How an LLM replies. */
  readonly reply?: ReplySettings | undefined
  /** The paths of files that replace generated output files. */
  readonly files?: readonly string[] | undefined
}

/** The behavior of the models at one level of the scenario, and the limits of their inputs. */
export interface ModelBehavior extends Behavior, MediaSettings {}

/** The default behavior. Queueing, delay, failures and price always have values. */
export interface DefaultBehavior extends ModelBehavior {
  readonly queueing: Spread
  readonly delay: Delay
  readonly failures: Failures
  readonly price: Price
}

/** The settings of the models of one kind. */
export interface KindEntry extends ModelBehavior {
  /** The built-in kind from which the kind inherits, if the scenario defines the kind. */
  readonly like?: Kind | undefined
}

/** The settings of one model, under its id or a pattern. */
export interface ModelEntry extends ModelBehavior {
  /** The kind of the model. By default, it depends on the id and the input. */
  readonly kind?: Kind | undefined
}
