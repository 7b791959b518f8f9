import type { Ending } from './lifecycle.js'
import { UNEXPLAINED } from './planner.js'
import { costOf } from './pricing.js'
import { produce } from './production.js'
import type { Task } from './task.js'

/**
 * What a task ends with, as it was planned. One whose result cannot be made fails, rather than being lost.
 * @param report hears why it could not be made
 */
export async function endingOf(task: Task, report: (problem: unknown) => void): Promise<Ending> {
  const { outcome, price, error = UNEXPLAINED } = task.plan
  if (outcome === 'failed') return { status: 'failed', error }
  if (outcome === 'canceled') return { status: 'canceled' }
  try {
    const { result, usage } = await produce(task)
    return { status: 'succeeded', result, cost: costOf(price, usage) }
  } catch (problem) {
    report(problem)
    return { status: 'failed', error: UNEXPLAINED }
  }
}
