import { costOf, type Price } from '../../engine/tasks/pricing.js'
import { learnPrice, MIN_COSTS } from '../learn/price/learn-price.js'
import type { PricedTask, PricedTasks } from '../learn/price/priced-tasks.js'
import { partsText, percentText, priceSummary } from '../scenario/comments.js'
import { normalTail } from '../statistics/normal.js'
import type { Comparison } from './change.js'

/** A learned price explains at least 99 % of the costs. */
const STILL_EXPLAINED = 0.97

/**
 * Compares costs with the prices of a scenario.
 * @param priceOf the price of a task, by its input
 */
export function comparePrice(
  name: string,
  tasks: PricedTasks,
  general: Price,
  priceOf: (task: PricedTask) => Price,
): Pick<Comparison, 'tests' | 'certain'> {
  const { sample } = tasks
  if (sample.length < MIN_COSTS) return NOTHING
  const expected = sample.map((task) => costOf(priceOf(task), task.usage))
  const explained = sample.filter(({ cost }, index) => cost === expected[index]).length / sample.length
  if (explained >= STILL_EXPLAINED) return NOTHING
  const found = learnPrice(tasks)
  const isFixed = Object.keys(general).join() === 'per_task'
  const before = partsText(general)
  if (!found.isMedian || !isFixed) {
    const after = found.isMedian ? 'no price explains the costs' : priceSummary(found)
    return {
      tests: [],
      certain: [
        { name, what: 'price', before: `${before}, which explains ${percentText(explained)} now`, after },
      ],
    }
  }
  // The scenario has the median of costs that follow no rule.
  const signs = sample.map(({ cost }, index) => Math.sign(cost - (expected[index] ?? 0)))
  const z = signs.reduce((sum, sign) => sum + sign, 0) / Math.sqrt(2 * sample.length)
  const change = { name, what: 'price', before: `median ${before}`, after: priceSummary(found) } as const
  return { tests: [{ change, p: normalTail(z) }], certain: [] }
}

const NOTHING = { tests: [], certain: [] } as const
