import type { MemoryBudget } from '../engine/memory/budget.js'
import { OverBudgetError } from '../engine/memory/over-budget-error.js'
import { Problem } from './problem.js'

/** Rejects a request for which the memory budget has no room: the only 5xx that no scenario asks for. */
export function overBudget({ limit }: MemoryBudget): Problem {
  return new Problem('over_budget', new OverBudgetError(limit).message)
}
