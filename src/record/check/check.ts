import type { Behavior } from '../../scenario/model/behavior.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { compileRules } from '../../scenario/rules/rules.js'
import { tooFewText } from '../counted.js'
import type { ObservedTask } from '../history/observed-task.js'
import { Histories } from '../learn/histories.js'
import { unknownGaps } from '../learn/learn-behavior.js'
import { MIN_SAMPLES } from '../learn/min-samples.js'
import type { ModelHistory } from '../learn/model-history.js'
import type { PricedTask } from '../learn/price/priced-tasks.js'
import { type Spans, spansOf } from '../learn/spans.js'
import { failedTests } from '../statistics/compare-samples.js'
import type { Change, Comparison, Test } from './change.js'
import { compareLimits } from './compare-limits.js'
import { compareFailures, compareSpans } from './compare-model.js'
import { comparePrice } from './compare-price.js'

/** How a history differs from a learned scenario. */
export interface Checked {
  readonly tasks: number
  readonly changes: readonly Change[]
  /** What was not compared and why, one sentence each. */
  readonly gaps: readonly string[]
}

/** How often an unchanged service seems to have changed: at most once in 20 checks. The rest of 5 % is for limits and prices. */
const SIGNIFICANCE = 0.04

/** Compares a scenario that {@link learn} wrote with a newer history. */
export async function check(scenario: Scenario, tasks: AsyncIterable<ObservedTask>): Promise<Checked> {
  const histories = new Histories()
  for await (const task of tasks) histories.add(task)
  const { models } = histories
  const limits = compareLimits(scenario.capacity, models)
  const compared = models.map((model) =>
    compareModel(scenario, model, spansOf(model, limits.starts.get(model))),
  )
  const tests = [...compared.flatMap((comparison) => comparison.tests), ...compareModels(scenario, models)]
  const changes = failedTests(tests, SIGNIFICANCE).map(({ change }) => change)
  return {
    tasks: models.reduce((sum, { tally }) => sum + tally.counts.all, 0),
    // Two tests may find the same change.
    changes: [...new Set([...limits.certain, ...compared.flatMap(({ certain }) => certain), ...changes])],
    gaps: [...models.flatMap(unknownGapsOf), ...compared.flatMap(({ gaps }) => gaps)],
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

function compareModel(scenario: Scenario, history: ModelHistory, spans: Spans): Comparison {
  const { tally, model: name } = history
  const { learned } = scenario.layer
  // A scenario without sample sizes counts as exact.
  const size = learned === undefined ? Infinity : (learned.tasks[name] ?? 0)
  const { delay, queueing, failures, price } = behaviorOf(scenario, history)
  const prices =
    price === undefined
      ? undefined
      : comparePrice(name, tally.priced, price, pricesOf(scenario, history, price))
  const fewest = Math.min(size, endedIn(history))
  if (size === 0 || fewest < MIN_SAMPLES) {
    const gaps =
      size === 0 ? [] : [`${name}: ${tooFewText(fewest, 'task')} to compare; ${MIN_SAMPLES} are needed`]
    return { tests: [], certain: prices?.certain ?? [], gaps }
  }
  const isTimed = delay !== undefined && !(typeof delay === 'object' && 'polls' in delay)
  return {
    tests: [
      ...(isTimed ? compareSpans({ name, what: 'delay' }, delay, spans.processing, size) : []),
      ...(queueing === undefined
        ? []
        : compareSpans({ name, what: 'queueing' }, queueing, spans.queueing, size)),
      ...(failures === undefined ? [] : compareFailures(tally, failures, size)),
      ...(prices?.tests ?? []),
    ],
    certain: prices?.certain ?? [],
    gaps: [],
  }
}

/** The price of a task under the rules of a scenario. */
function pricesOf({ rules }: Scenario, { model, kind }: ModelHistory, general: Behavior['price'] & object) {
  const compiled = compileRules(rules)
  return ({ choices }: PricedTask) => {
    const candidate = { model, kind, dialect: 'tasks', key: '', input: { ...choices }, occurrence: 1 }
    return compiled.find((rule) => rule.matches(candidate))?.then.price ?? general
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
