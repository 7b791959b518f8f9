import { type DurationText, writeDuration } from '../../engine/clock/durations.js'
import type { Bounds } from '../../engine/scenario/delay.js'
import { KINDS, kindNamed } from '../../kinds/built-in-kinds.js'
import { type LearnedDelay, SIMULATED_TASKS } from '../learn/delay.js'
import type { Learned, LearnedBehavior, LearnedFailures } from '../learn/learn.js'
import type { LearnedTraffic } from '../learn/traffic/traffic.js'
import { durationBounds } from './comments.js'

/** Standard errors of a simulated share. By chance, a larger deviation is rarer than one in ten thousand. */
const ERRORS = 4
const DECIMALS = 1_000
const CREATE = 'tasks.create'
/** Simulated failures that are enough to compare the shares of errors. */
const ENOUGH_FAILURES = 50

/** Expectations with the measured figures of each model, and tolerances for a simulation. */
export function expectationsOf({ models, traffic }: Learned): object[] | undefined {
  const creation = creationOf(traffic)
  const expectations = models
    .filter(({ delay, failures }) => (delay ?? failures) !== undefined)
    .map((model) => expectationOf(model, creation))
  return expectations.length === 0 ? undefined : expectations
}

/** How many create requests are rejected, and how fast the others may follow each other. */
interface Creation {
  /** 0 to 1. */
  readonly rejected: number
  readonly every: DurationText | undefined
}

function creationOf(traffic: LearnedTraffic | undefined): Creation {
  const faults = (traffic?.faults ?? []).filter(({ operation }) => operation === CREATE)
  const limits = (traffic?.limits ?? []).filter(({ operations }) => operations?.includes(CREATE) ?? true)
  const pause = Math.max(0, ...limits.map(({ requests, per }) => Math.ceil(per / requests)))
  return {
    rejected: faults.reduce((sum, { rate }) => sum + rate, 0),
    every: pause === 0 ? undefined : writeDuration(pause),
  }
}

function expectationOf(
  { name, kind, delay, queueing, failures, price }: LearnedBehavior,
  { rejected, every }: Creation,
): object {
  const created = tolerated(1 - rejected, undefined, SIMULATED_TASKS)
  const { input } = (kindNamed(kind) ?? KINDS[0]).example
  return {
    create: { model: name, input },
    repeat: SIMULATED_TASKS,
    every,
    tasks: rejected === 0 ? undefined : { min: Math.floor(created.min * SIMULATED_TASKS) },
    outcomes: failures && { failed: failedShare(failures, rejected) },
    errors: failures && errorShares(failures),
    queueing: queueing && percentilesOf(queueing),
    processing: delay && percentilesOf(delay),
    cost: price && fixedCost(price),
  }
}

/** The share of create requests that lead to a failed task. */
function failedShare({ rate, interval: [low, high] }: LearnedFailures, rejected: number): Bounds {
  const created = 1 - rejected
  return tolerated(rate * created, [low * created, high * created], SIMULATED_TASKS)
}

function percentilesOf({ p50, p90, p99 }: LearnedDelay): object {
  return {
    p50: durationBounds(p50.tolerance),
    p90: durationBounds(p90.tolerance),
    p99: durationBounds(p99.tolerance),
  }
}

/** The cost of a task, if it does not depend on the input. */
function fixedCost({ price, rules, isMedian }: NonNullable<LearnedBehavior['price']>): Bounds | undefined {
  const { per_task, ...parts } = price
  const isFixed = Object.keys(parts).length === 0 && rules.length === 0 && !isMedian
  return isFixed ? { min: per_task, max: per_task } : undefined
}

/** The shares of the errors among the failures that have a listed error. */
function errorShares({ rate, errors }: LearnedFailures): Record<string, Bounds> | undefined {
  const simulated = rate * SIMULATED_TASKS
  const whole = errors.reduce((sum, { count }) => sum + count, 0)
  if (simulated < ENOUGH_FAILURES || errors.length < 2) return undefined
  const shares = errors.map(
    ({ code, count }) => [code, tolerated(count / whole, undefined, simulated)] as const,
  )
  return Object.fromEntries(shares)
}

/**
 * The bounds of a share in a simulation.
 * @param interval of the measured share
 */
function tolerated(
  share: number,
  [low, high]: readonly [number, number] = [share, share],
  simulated: number,
): { min: number; max: number } {
  const error =
    ERRORS * Math.sqrt((Math.max(share, 1 / simulated) * Math.max(1 - share, 1 / simulated)) / simulated)
  return {
    min: Math.max(0, Math.floor((Math.min(low, share) - error) * DECIMALS) / DECIMALS),
    max: Math.min(1, Math.ceil((Math.max(high, share) + error) * DECIMALS) / DECIMALS),
  }
}
