import { OverBudgetError } from '../../engine/memory/budget.js'
import { overBudget } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The type of a file whose type is unknown. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Keeps an upload.
 * @throws Problem 503 if it exceeds the memory budget
 */
export async function withinBudget<Kept>(
  { memory }: Simulator,
  keep: () => Kept | Promise<Kept>,
): Promise<Kept> {
  try {
    return await keep()
  } catch (error) {
    throw error instanceof OverBudgetError ? overBudget(memory) : error
  }
}
