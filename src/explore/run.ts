import type { ArmedDeviation } from '../engine/exploration/armed-deviation.js'
import type { Exploration, ReachedPlace } from '../engine/exploration/exploration.js'
import type { TaskNumber } from '../engine/exploration/place.js'
import type { JsonObject } from '../engine/json.js'
import type { Status } from '../engine/tasks/task.js'
import type { Finding } from '../inspect/findings/finding.js'
import type { WayToFind } from '../inspect/findings/finding-context.js'
import type { Simulator } from '../simulator/simulator.js'
import type { DeviationClass } from './deviations.js'

/** One deviation at one place. */
export interface PlannedDeviation {
  /** As `writePlace` writes it. */
  readonly place: string
  /** The word of the deviation, such as `lost`. */
  readonly word: string
  readonly class: DeviationClass
  /** What the simulator does there. */
  readonly armed: ArmedDeviation
  /** How much longer than the baseline a correct client may take because of it, in milliseconds on the clock. */
  readonly delays: number
}

/** The id of the run without deviations. */
export const BASELINE = 'baseline'

/** The exit status of Node.js if a top-level `await` waits for a promise that nobody settles. */
export const UNSETTLED = 13

/** What a run consists of. */
export interface RunSpec {
  /** Such as `tasks.create#1:lost`, or `tasks.create#1:lost+tasks.list:503`; `baseline` without deviations. */
  readonly id: string
  readonly deviations: readonly PlannedDeviation[]
  /** The orders of the tasks of the baseline; undefined in the first run. */
  readonly orders: readonly string[] | undefined
  /** Whether tasks are matched without their inputs, which differ from run to run. */
  readonly ignoresInput: boolean
  /** How long the client may make no progress until it hangs, in milliseconds on the clock. */
  readonly patience: number
}

/** How the client ended. */
export type RunEnd =
  /** The command ended with 0, or the test function resolved. */
  | { readonly type: 'success' }
  /** The command ended with another status, or the test function rejected. */
  | { readonly type: 'failure'; readonly status?: number | undefined; readonly message: string }
  /** It was ended by a signal, or by an error that nobody has caught. */
  | { readonly type: 'crash'; readonly status?: number | undefined; readonly message: string }
  /** It made no progress for longer than the patience, and was ended. */
  | { readonly type: 'hang'; readonly message: string }
  /** It could not run: the command does not exist, for example. The exploration ends. */
  | { readonly type: 'unusable'; readonly message: string }

/** What happened to a task in a run, after all tasks but stuck ones were brought to their end. */
export interface TaskFacts {
  readonly id: string
  readonly number: TaskNumber
  readonly model: string
  readonly input: JsonObject
  /** What its order has in common with equal ones. */
  readonly order: string
  readonly status: Status
  /** In whole micro-dollars; 0 unless it succeeded. */
  readonly cost: number
  /** Whether an answer, a list or an accepted webhook has shown its id to the client. */
  readonly isKnown: boolean
  /** Whether it still ran when the client ended, which had read that it runs, and could have canceled it. */
  readonly isLeftRunning: boolean
  /** Whether the client has asked the service to cancel it, also too late. */
  readonly isCanceled: boolean
  /** How the client could find it if the answer to its create request was lost. */
  readonly waysToFind: readonly WayToFind[]
  /**
   * Whether the client has learned its end and its result, undamaged, in an answer, a list or an accepted webhook, or has
   * all of its files.
   */
  readonly isLearned: boolean
  /**
   * Whether a genuine answer or webhook has shown it so, as {@link isLearned} by default; a forgery may have led to
   * the files.
   */
  readonly isConfirmed?: boolean | undefined
  /** Whether any answer or accepted webhook has shown it as succeeded, also one that a deviation had changed. */
  readonly isShown?: boolean | undefined
  /** Whether the client has learned, in any way, that it has failed or was canceled. */
  readonly isKnownToFail: boolean
  /** The output files that the client has downloaded as a whole, by their indices. */
  readonly files: readonly number[]
  /** The number of files of its result; undefined if it is not known. */
  readonly available?: number | undefined
  /** Whether the last answer about it was a rejection, or showed a failure or no output because of a deviation. */
  readonly isGivenUp: boolean
}

/** A line of the timeline of a run. */
export interface TimelineEntry {
  /** Milliseconds on the clock since the start of the run. */
  readonly at: number
  /** When the last of several equal lines happened, if the line stands for them. */
  readonly until?: number | undefined
  /** Such as `POST /v1/tasks -> 200 task_1` or `webhook task.succeeded -> 204`. */
  readonly text: string
  /** The place of the request or the webhook. */
  readonly place?: string | undefined
  /** Whether a deviation applied there. */
  readonly isDeviating: boolean
}

/** What the simulator has seen of a run. */
export interface RunFacts {
  readonly places: readonly ReachedPlace[]
  /** The orders of the tasks, for the next runs. */
  readonly orders: readonly string[]
  readonly tasks: readonly TaskFacts[]
  readonly requests: number
  /** In whole micro-dollars, of all tasks. */
  readonly cost: number
  readonly findings: readonly Finding[]
  /** The forged webhooks that the receiver has accepted. */
  readonly acceptedForgeries: number
  /**
   * The genuine webhooks that the receiver has rejected at each attempt, with its last answer, such as
   * `task.succeeded#1: 401`.
   */
  readonly rejectedWebhooks: readonly string[]
  /** The ids of the deviations that have been applied. */
  readonly applied: readonly string[]
  readonly timeline: readonly TimelineEntry[]
  /** From the first request to the last progress of the client, in milliseconds on the clock. */
  readonly lasted: number
}

/** The result of running the client once. */
export interface ObservedRun {
  readonly end: RunEnd
  readonly facts: RunFacts
  /** The lines that the command has printed to stdout; empty in process. */
  readonly output: readonly string[]
  /** From the start of the client to its end, in milliseconds on the clock; undefined if it has no end of its own. */
  readonly lasted?: number | undefined
  /** Milliseconds of real time. */
  readonly took: number
}

/** Runs the client, each time against a new simulator. */
export interface Driver {
  run(spec: RunSpec): Promise<ObservedRun>
}

/** Begins an ordered run on a simulator: the requests from now on are its requests. */
export function beginRun(
  sim: Simulator,
  { deviations, orders, ignoresInput }: RunSpec,
): Promise<Exploration> {
  return sim.explore({ deviations: deviations.map(({ armed }) => armed), orders, ignoresInput })
}
