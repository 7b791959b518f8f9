import type { Kinds } from './kinds.js'
import type { Ending } from './lifecycle.js'
import { costOf } from './pricing.js'
import { DEFAULT_TASK_ERROR, type Task } from './task.js'

/**
 * The planned ending of a task. A task whose result cannot be produced fails.
 * @param report receives the reason why the result cannot be produced
 */
export async function endingOf(
  task: Task,
  kinds: Pick<Kinds, 'produce'>,
  report: (problem: unknown) => void,
): Promise<Ending> {
  const { outcome, price, error = DEFAULT_TASK_ERROR } = task.plan
  if (outcome === 'failed') return { status: 'failed', error }
  if (outcome === 'canceled') return { status: 'canceled' }
  try {
    const { result, usage } = await kinds.produce(task)
    return { status: 'succeeded', result, cost: costOf(price, usage) }
  } catch (problem) {
    report(problem)
    return { status: 'failed', error: DEFAULT_TASK_ERROR }
  }
}
