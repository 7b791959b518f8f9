import type { Behavior } from '../../engine/scenario/behavior.js'
import type { CapacitySettings } from '../../engine/scenario/capacity.js'
import { compileRules } from '../../engine/scenario/rules.js'
import type { Scenario } from '../../engine/scenario/scenario.js'
import { costOf, type Price } from '../../engine/tasks/pricing.js'
import type { ObservedTask } from '../history/observed-task.js'
import { MIN_SAMPLES } from '../learn/delay.js'
import { Histories, type ModelHistory } from '../learn/histories.js'
import { spansOf, unknownGaps } from '../learn/learn.js'
import { applies, type LearnedLimit, learnLimits, mostRunningIn, showsStarts } from '../learn/limits.js'
import { learnPrice, MIN_COSTS } from '../learn/price/learn-price.js'
import type { PricedTask } from '../learn/price/priced-tasks.js'
import { tooFewText } from '../numbers.js'
import { partsText, percentText, priceSummary } from '../scenario/comments.js'
import { compareFailures, compareSpans } from './compare-behavior.js'
import { type Change, chanceOfDifference, type Test } from './difference.js'

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

/** A learned price explains at least 99 % of the costs. */
const STILL_EXPLAINED = 0.97

/**
 * Compares the costs of a model with the prices of a scenario.
 * @param general the price of tasks to which no rule applies
 */
function comparePrice(scenario: Scenario, history: ModelHistory, general: Price): Test[] {
  const { priced } = history.tally
  const { sample } = priced
  if (sample.length < MIN_COSTS) return []
  const priceOf = pricesOf(scenario, history, general)
  const expected = sample.map((task) => costOf(priceOf(task), task.usage))
  const explained = sample.filter(({ cost }, index) => cost === expected[index]).length / sample.length
  if (explained >= STILL_EXPLAINED) return []
  const found = learnPrice(priced)
  const name = history.model
  const before = partsText(general)
  if (!found.isMedian || Object.keys(general).join() !== 'per_task') {
    const after = found.isMedian ? 'no price explains the costs' : priceSummary(found)
    const share = `${before}, which explains ${percentText(explained)} now`
    return [{ change: { name, what: 'price', before: share, after }, p: 0 }]
  }
  // The scenario has the median of costs that follow no rule.
  const above = sample.filter(({ cost }, index) => cost > (expected[index] ?? 0)).length
  const below = sample.filter(({ cost }, index) => cost < (expected[index] ?? 0)).length
  const half = { above: (above + below) / 2, below: (above + below) / 2 }
  return [
    {
      change: { name, what: 'price', before: `median ${before}`, after: priceSummary(found) },
      p: chanceOfDifference(new Map(Object.entries(half)), new Map(Object.entries({ above, below }))),
    },
  ]
}

/** The price of a task under the rules of a scenario. */
function pricesOf({ rules }: Scenario, { model, kind }: ModelHistory, general: Price) {
  const compiled = compileRules(rules)
  return ({ choices }: PricedTask) => {
    const candidate = { model, kind, dialect: 'tasks', key: '', input: { ...choices }, occurrence: 1 }
    return compiled.find((rule) => rule.matches(candidate))?.then.price ?? general
  }
}

type Limit = Pick<LearnedLimit, 'scope' | 'name' | 'running'>

/** The limits of a scenario beside those of a history. */
interface ComparedLimits {
  readonly tests: readonly Test[]
  /** What was not compared and why, one sentence each. */
  readonly gaps: readonly string[]
  /** Whether a limit of the scenario or of the history applies to a model. */
  covers(model: ModelHistory): boolean
}

/** Compares the limits of a scenario with a history. Both are exact, so no difference is due to chance. */
function compareLimits(capacity: CapacitySettings, models: readonly ModelHistory[]): ComparedLimits {
  const before = limitsIn(capacity).filter((limit) => models.some((model) => applies(limit, model)))
  if (!showsStarts(models)) {
    const gaps = before.length === 0 ? [] : ['limits: the history does not show when tasks started']
    return { tests: [], gaps, covers: () => false }
  }
  const found = learnLimits(models)
  const changed = before.flatMap((limit) => changedLimit(limit, found, models))
  const isCovered = (limits: readonly Limit[]) => (model: ModelHistory) =>
    limits.some((limit) => applies(limit, model))
  const added = found.filter(
    (limit) => !models.some((model) => applies(limit, model) && isCovered(before)(model)),
  )
  return {
    tests: [...changed, ...added.map((limit) => testOf({ ...limit, running: undefined }, limit.running))],
    gaps: [],
    covers: isCovered([...before, ...found]),
  }
}

/** @returns a list with the change; empty if the history agrees with the limit, or too few tasks waited */
function changedLimit(limit: Limit, found: readonly LearnedLimit[], models: readonly ModelHistory[]): Test[] {
  const now = found.find(({ scope, name }) => scope === limit.scope && name === limit.name)?.running
  const most = mostRunningIn(models.filter((model) => applies(limit, model)))
  return (now === undefined ? most <= limit.running : now === limit.running) ? [] : [testOf(limit, now)]
}

function limitsIn({ running, kinds = {}, models = {} }: CapacitySettings): Limit[] {
  const named = (scope: 'kinds' | 'models', limits: NonNullable<CapacitySettings['kinds']>) =>
    Object.entries(limits).flatMap(([name, limit]) =>
      limit?.running === undefined ? [] : [{ scope, name, running: limit.running }],
    )
  const all = running === undefined ? [] : [{ scope: 'all' as const, name: '', running }]
  return [...all, ...named('kinds', kinds), ...named('models', models)]
}

function testOf(
  { scope, name, running }: { scope: Limit['scope']; name: string; running: number | undefined },
  now: number | undefined,
): Test {
  const text = (limit: number | undefined) => (limit === undefined ? 'no limit' : `at most ${limit} running`)
  const change = {
    name: { all: 'all models', kinds: `all ${name} models`, models: name }[scope],
    what: 'limit',
    before: text(running),
    after: text(now),
  } as const
  return { change, p: 0 }
}
