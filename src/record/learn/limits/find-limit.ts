import { entropyOf } from '../../statistics/entropy.js'
import { checkWaits } from './check-waits.js'
import { fifoStarts } from './fifo-starts.js'
import { type Flow, lastOf, mostOpen } from './flow.js'

/** A limit on how many tasks run at the same time. */
export interface FoundLimit {
  readonly running: number
  /** The smallest and the largest limit that the history does not rule out, at 95 %. */
  readonly interval: readonly [low: number, high: number]
  /** How many of the compared tasks waited. */
  readonly waited: number
  readonly samples: number
  /** By how much the limit makes the history more likely: the logarithm of the ratio. */
  readonly gain: number
}

/** More tasks would not make a limit clearer, only slower to find. */
const COMPARED = 8_000
const MOST_RUNNING = 1_000
/** How many limits are tried at once. */
const STEPS = 40
const MIN_WAITING = 20
/** Milliseconds by which rounded times may be off. */
const PRECISION = 2
const SECOND = 1_000
/** A smaller sample says little about a distribution. */
const MIN_SPANS = 20
/** If a service has no limit, the gain of the limits that are tried is seldom above 5. */
const MIN_GAIN = 12
/** Half of the 95 % quantile of chi-square with one degree of freedom. */
const INTERVAL = 1.92

/**
 * Finds the limit under which the history is most likely. A limit and the ends of earlier tasks determine each start, so
 * the likelihood of all ends is that of the processing times, and the limit with the smallest entropy of processing
 * times is the most likely one.
 * @returns undefined if no limit makes the history much more likely
 */
export function findLimit(flow: Flow): FoundLimit | undefined {
  const { tasks, most, precision, likelihood } = prepare(flow)
  const running = mostLikely(1, most, likelihood)
  const gain = likelihood(running) - likelihood(most)
  const { waited, isPlausible } = checkWaits(tasks, fifoStarts(tasks, running), precision)
  if (gain < MIN_GAIN || waited < MIN_WAITING || !isPlausible) return undefined
  const agrees = (other: number) =>
    other >= 1 && other <= most && likelihood(other) >= likelihood(running) - INTERVAL
  let [low, high] = [running, running]
  while (agrees(low - 1)) low -= 1
  while (agrees(high + 1)) high += 1
  return { running, interval: [low, high], waited, samples: tasks.created.length, gain }
}

/** Whether a history rules a limit out, because another limit, or none, makes it much more likely. */
export function contradicts(flow: Flow, running: number): boolean {
  const { most, likelihood } = prepare(flow)
  return likelihood(mostLikely(1, most, likelihood)) - likelihood(Math.min(running, most)) >= MIN_GAIN
}

/** What is needed to compare limits. */
interface Comparison {
  readonly tasks: Flow
  /** A limit that has no effect. */
  readonly most: number
  /** Milliseconds by which times may be off. */
  readonly precision: number
  readonly likelihood: (running: number) => number
}

function prepare(flow: Flow): Comparison {
  const tasks = lastOf(flow, COMPARED)
  const most = Math.min(MOST_RUNNING, mostOpen(tasks))
  const precision = tasks.created.every((time) => time % SECOND === 0) ? SECOND : PRECISION
  const known = new Map<number, number>()
  const likelihood = (running: number) => {
    const starts = () => fifoStarts(tasks, running < most ? running : Infinity)
    const value = known.get(running) ?? likelihoodOf(tasks, starts(), precision)
    known.set(running, value)
    return value
  }
  return { tasks, most, precision, likelihood }
}

/** The most likely number between two others: tries some of them, and then all around the best one. */
function mostLikely(low: number, high: number, likelihood: (value: number) => number): number {
  const step = Math.max(1, Math.ceil((high - low) / STEPS))
  const tried = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step)
  const best = tried.reduce((one, other) => (likelihood(other) > likelihood(one) ? other : one), high)
  if (step === 1) return best
  return mostLikely(Math.max(low, best - step), Math.min(high, best + step), likelihood)
}

/** The logarithm of the likelihood of the starts; -Infinity if tasks would have ended before their start. */
function likelihoodOf(flow: Flow, starts: Float64Array, precision: number): number {
  const spans = flow.models.map((): number[] => [])
  for (const [index, start] of starts.entries()) {
    if (flow.isComplete[index] !== 1) continue
    const span = (flow.ended[index] ?? 0) - start
    if (span < -precision) return -Infinity
    spans[flow.model[index] ?? 0]?.push(span)
  }
  return spans.reduce((sum, own) => {
    if (own.length < MIN_SPANS) return sum
    return sum - own.length * entropyOf(Float64Array.from(own).sort(), precision / 2)
  }, 0)
}
