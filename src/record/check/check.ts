import type { Behavior } from '../../scenario/model/behavior.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { tooFewText } from '../counted.js'
import type { ObservedTask } from '../history/observed-task.js'
import { MIN_SAMPLES } from '../learn/delay.js'
import { Histories, type ModelHistory } from '../learn/histories.js'
import { spansOf, unknownGaps } from '../learn/learn.js'
import { compareFailures, compareSpans } from './compare-behavior.js'
import { compareLimits } from './compare-limits.js'
import { comparePrice } from './compare-price.js'
import type { Change, Test } from './difference.js'

/** How a history differs from a learned scenario. */
export interface Checked {
  readonly tasks: number
  readonly changes: readonly Change[]
  /** What was not compared and why, one sentence each. */
  readonly gaps: readonly string[]
}

/**
 * The probability that some test finds a change in an unchanged service. It is the same for all tests together, whatever
 * their number.
 */
const SIGNIFICANCE = 0.04

/** Compares a scenario that `learn` wrote with a newer history. */
export async function check(scenario: Scenario, tasks: AsyncIterable<ObservedTask>): Promise<Checked> {
  const histories = new Histories()
  for await (const task of tasks) histories.add(task)
  const { models } = histories
  const limits = compareLimits(scenario.capacity, models)
  const compared = models.map((model) => compareModel(scenario, model, limits.covers(model)))
  const tests = [
    ...limits.tests,
    ...compared.flatMap((comparison) => comparison.tests),
    ...compareModels(scenario, models),
  ]
  const changes = tests.filter(({ p }) => p <= SIGNIFICANCE / tests.length).map(({ change }) => change)
  return {
    tasks: models.reduce((sum, { tally }) => sum + tally.counts.all, 0),
    changes,
    gaps: [...limits.gaps, ...models.flatMap(unknownGapsOf), ...compared.flatMap(({ gaps }) => gaps)],
  }
}

function unknownGapsOf({ model, tally }: ModelHistory): string[] {
  return unknownGaps(tally.counts).map((gap) => `${model}: ${gap}`)
}

function endedIn({ tally: { counts } }: ModelHistory): number {
  return counts.succeeded + counts.failed
}

/** The behavior of a model that the scenario defines, without the defaults of all scenarios. */
function behaviorOf({ models, kinds }: Scenario, { model, kind }: ModelHistory): Behavior {
  return { ...kinds[kind], ...models[model] }
}

/** @param isLimited whether a limit explains when the tasks start */
function compareModel(
  scenario: Scenario,
  history: ModelHistory,
  isLimited: boolean,
): { readonly tests: readonly Test[]; readonly gaps: readonly string[] } {
  const { tally, model: name } = history
  const { learned } = scenario.layer
  // A scenario without sample sizes counts as exact.
  const size = learned === undefined ? Infinity : (learned.tasks[name] ?? 0)
  const { delay, queueing, failures, price } = behaviorOf(scenario, history)
  const prices = price === undefined ? [] : comparePrice(scenario, history, price)
  const fewest = Math.min(size, endedIn(history))
  if (size === 0 || fewest < MIN_SAMPLES) {
    const gaps =
      size === 0 ? [] : [`${name}: ${tooFewText(fewest, 'task')} to compare; ${MIN_SAMPLES} are needed`]
    return { tests: prices, gaps }
  }
  const spans = spansOf(history, isLimited)
  const isTimed = delay !== undefined && !(typeof delay === 'object' && 'polls' in delay)
  return {
    tests: [
      ...(isTimed ? compareSpans({ name, what: 'delay' }, delay, spans.processing, size) : []),
      ...(queueing === undefined
        ? []
        : compareSpans({ name, what: 'queueing' }, queueing, spans.queueing, size)),
      ...(failures === undefined ? [] : compareFailures(tally, failures, size)),
      ...prices,
    ],
    gaps: [],
  }
}

/** Compares which models have tasks. */
function compareModels({ layer }: Scenario, models: readonly ModelHistory[]): Test[] {
  const learned = layer.learned?.tasks ?? {}
  const before = Object.values(learned).reduce((sum, count) => sum + count, 0)
  const after = models.reduce((sum, model) => sum + endedIn(model), 0)
  if (before === 0 || after === 0) return []
  const added = models.filter((model) => (learned[model.model] ?? 0) === 0 && endedIn(model) > 0)
  const names = new Set(models.map(({ model }) => model))
  const missing = Object.entries(learned).filter(([name, count]) => count > 0 && !names.has(name))
  return [
    ...added.map((model) => ({
      change: changeOf(model.model, 'new model', 'no tasks', `${endedIn(model)} of ${after} tasks`),
      p: (after / (before + after)) ** endedIn(model),
    })),
    ...missing.map(([name, count]) => ({
      change: changeOf(name, 'missing model', `${count} of ${before} tasks`, 'no tasks'),
      p: (before / (before + after)) ** count,
    })),
  ]
}

function changeOf(name: string, what: Change['what'], before: string, after: string): Change {
  return { name, what, before, after }
}
