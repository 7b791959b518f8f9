import { costOf, type Price } from '../../engine/tasks/pricing.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { compileRules } from '../../scenario/rules/rules.js'
import type { ModelHistory } from '../learn/histories.js'
import { learnPrice, MIN_COSTS } from '../learn/price/learn-price.js'
import type { PricedTask } from '../learn/price/priced-tasks.js'
import { partsText, percentText, priceSummary } from '../scenario/comments.js'
import { chanceOfDifference, type Test } from './difference.js'

/** A learned price explains at least 99 % of the costs. */
const STILL_EXPLAINED = 0.97

/**
 * Compares the costs of a model with the prices of a scenario.
 * @param general the price of tasks to which no rule applies
 */
export function comparePrice(scenario: Scenario, history: ModelHistory, general: Price): Test[] {
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
