import type { JsonObject } from '../../engine/json.js'
import { type Interval, shareInterval } from '../../inspect/statistics.js'
import type { ObservedTask } from '../history/observed-task.js'
import { counted, tooFewText } from '../numbers.js'
import { type LearnedDelay, learnDelay, MIN_SAMPLES } from './delay.js'
import { type CountedError, Histories, type ModelHistory, type Tally, type TaskCounts } from './histories.js'
import { applies, type LearnedLimit, learnLimits, showsStarts } from './limits.js'
import { learnOutput } from './output.js'
import { type LearnedPrice, learnPrice, MIN_COSTS } from './price/learn-price.js'
import type { LearnedTraffic, Traffic } from './traffic/traffic.js'

/** What a history shows about a service. */
export interface Learned {
  readonly tasks: number
  /** When the first and the last task were created: epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly limits: readonly LearnedLimit[]
  /** What requests and webhooks show; undefined if the source has none. */
  readonly traffic: LearnedTraffic | undefined
  /** By id. */
  readonly models: readonly LearnedBehavior[]
  /** The kinds with a model that has too few tasks, by name. Each pools all models of the kind. */
  readonly kinds: readonly LearnedBehavior[]
  /** What was not learned about the service and why, one sentence each. */
  readonly gaps: readonly string[]
}

/** What the history of a model, or of all models of a kind, shows. Undefined: see `gaps`. */
export interface LearnedBehavior {
  /** The id of the model, or the name of the kind. */
  readonly name: string
  readonly kind: string
  readonly counts: TaskCounts
  /** How long tasks are queued, if the history shows it and no limit explains it. */
  readonly queueing: LearnedDelay | undefined
  /** How long processing takes. */
  readonly delay: LearnedDelay | undefined
  readonly failures: LearnedFailures | undefined
  /** The cost of a successful task. */
  readonly price: LearnedPrice | undefined
  /** The template of outputs that differ from those of the kind. */
  readonly output: JsonObject | undefined
  /** What was not learned and why, one sentence each. */
  readonly gaps: readonly string[]
}

/** How often tasks fail, and their errors. Canceled tasks count neither as failed nor as successful. */
export interface LearnedFailures {
  /** How many tasks succeeded or failed. */
  readonly samples: number
  readonly failed: number
  readonly rate: number
  /** The 95 % interval of the rate. */
  readonly interval: Interval
  /** The most frequent errors, most frequent first. */
  readonly errors: readonly CountedError[]
  /** How many failures had other errors. */
  readonly unlisted: number
}

/**
 * Learns how a service behaves from the tasks in its history, in any order.
 * @param traffic the requests among which the tasks were found; complete before the first task
 */
export async function learn(tasks: AsyncIterable<ObservedTask>, traffic?: Traffic): Promise<Learned> {
  const histories = new Histories()
  for await (const task of tasks) {
    histories.add(task)
    traffic?.addEnd(task.id, task.endedAt)
  }
  const all = histories.models
  const limits = learnLimits(all)
  const isLimited = (model: ModelHistory) => limits.some((limit) => applies(limit, model))
  const spans = new Map(all.map((model) => [model, spansOf(model, isLimited(model))]))
  const models = [...spans].map(([model, own]) => learnBehavior(model.tally, own))
  const kinds = histories.kinds.flatMap((tally) => {
    const own = [...spans].flatMap(([{ kind }, of]) => (kind === tally.kind ? [of] : []))
    const kind = generalBehavior(learnBehavior(tally, pool(own)))
    return models.some((model) => model.kind === kind.kind && needs(model, kind)) ? [kind] : []
  })
  return {
    tasks: models.reduce((sum, { counts }) => sum + counts.all, 0),
    from: histories.from,
    to: histories.to,
    limits,
    traffic: traffic?.learned,
    models,
    kinds,
    gaps: showsStarts(all) ? [] : [WITHOUT_STARTS],
  }
}

const WITHOUT_STARTS =
  'queueing and limits: the history does not show when tasks started, so delays include the time in the queue'

/** How long tasks of a model take, in milliseconds, sorted. */
export interface Spans {
  /** From start to end, of each task that succeeded or failed; from creation to end, if the start is unknown. */
  readonly processing: Float64Array
  /** From creation to start, if the history shows starts that no limit explains. */
  readonly queueing: Float64Array
}

/** @param isLimited whether a limit explains when tasks start */
export function spansOf({ created, started, ended, completed }: ModelHistory, isLimited: boolean): Spans {
  const waits = started.values.map((start, index) => start - (created.values[index] ?? 0))
  const processing = ended.values.map((end, index) => {
    const wait = waits[index] ?? Number.NaN
    const whole = end - (created.values[index] ?? 0)
    return completed.values[index] === 1 ? whole - (Number.isNaN(wait) ? 0 : wait) : Number.NaN
  })
  return { processing: known(processing), queueing: isLimited ? new Float64Array(0) : known(waits) }
}

function known(spans: Float64Array): Float64Array {
  return spans.filter((span) => !Number.isNaN(span)).sort()
}

/** Merges the spans of several models. */
function pool(all: readonly Spans[]): Spans {
  return {
    processing: concatenate(all.map(({ processing }) => processing)),
    queueing: concatenate(all.map(({ queueing }) => queueing)),
  }
}

function concatenate(lists: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    whole.set(list, at)
    at += list.length
  }
  return whole.sort()
}

/** Learns the behavior of a model, or of a kind, from its tasks and how long they took. */
function learnBehavior(
  { name, kind, counts, errors, priced, outputs }: Tally,
  { processing, queueing }: Spans,
): LearnedBehavior {
  const samples = counts.succeeded + counts.failed
  const isQueued = queueing.length >= MIN_SAMPLES && queueing.at(-1) !== 0
  return {
    name,
    kind,
    counts,
    queueing: isQueued ? learnDelay(queueing) : undefined,
    delay: processing.length < MIN_SAMPLES ? undefined : learnDelay(processing),
    failures: samples < MIN_SAMPLES ? undefined : failuresOf(counts, errors),
    price: priced.count < MIN_COSTS ? undefined : learnPrice(priced),
    output: learnOutput(kind, outputs.all),
    gaps: [
      ...unknownGaps(counts),
      ...tooFew('delay', processing.length),
      ...tooFew('failures', samples),
      ...tooFewCosts(priced.count),
    ],
  }
}

/** The words that the dialect does not know, and how many tasks ended with each. */
export function unknownGaps({ unknown }: Pick<TaskCounts, 'unknown'>): string[] {
  return Object.entries(unknown).map(
    ([word, count]) =>
      `failures: ${counted(count, 'task')} ended with the word ${JSON.stringify(word)}, which the dialect does not know; ` +
      'such tasks count neither as failed nor as successful',
  )
}

function tooFew(field: string, samples: number): string[] {
  return samples < MIN_SAMPLES
    ? [`${field}: ${tooFewText(samples, 'ended task')}; ${MIN_SAMPLES} are needed`]
    : []
}

function tooFewCosts(samples: number): string[] {
  if (samples >= MIN_COSTS) return []
  return [
    samples === 0
      ? 'price: no task has a cost'
      : `price: ${tooFewText(samples, 'cost')}; ${MIN_COSTS} are needed`,
  ]
}

/** The failures among the tasks that ended by themselves. */
export function failuresOf(
  { succeeded, failed }: TaskCounts,
  { listed, unlisted }: Tally['errors'],
): LearnedFailures {
  const samples = succeeded + failed
  return {
    samples,
    failed,
    rate: failed / samples,
    interval: shareInterval(failed, samples),
    errors: listed,
    unlisted,
  }
}

/** The behavior of a kind, without outputs, and without prices that differ from task to task. */
function generalBehavior(all: LearnedBehavior): LearnedBehavior {
  const kind = { ...all, output: undefined }
  const { price } = kind
  if (price === undefined || (price.rules.length === 0 && !price.isMedian)) return kind
  return { ...kind, price: undefined, gaps: [...kind.gaps, 'price: it differs from task to task'] }
}

const LEARNED = ['delay', 'failures', 'price'] as const

/** Whether a kind shows something that its model does not show. */
function needs(model: LearnedBehavior, kind: LearnedBehavior): boolean {
  return LEARNED.some((field) => model[field] === undefined && kind[field] !== undefined)
}
