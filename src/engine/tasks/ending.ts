import { type Awaitable, isPromise } from '../awaitable.js'
import type { Kinds, Production } from './kinds.js'
import type { Ending } from './lifecycle.js'
import { costOf } from './pricing.js'
import { DEFAULT_TASK_ERROR, type Task } from './task.js'

/**
 * The planned ending of a task. A task whose result cannot be produced fails.
 * @param report receives the reason why the result cannot be produced
 * @returns a promise only if producing the result takes a while
 */
export function endingOf(
  task: Task,
  kinds: Pick<Kinds, 'produce'>,
  report: (problem: unknown) => void,
): Awaitable<Ending> {
  const { outcome, error = DEFAULT_TASK_ERROR } = task.plan
  if (outcome === 'failed') return { status: 'failed', error }
  if (outcome === 'canceled') return { status: 'canceled' }
  try {
    const production = kinds.produce(task)
    return isPromise(production) ? successLater(task, production, report) : success(task, production)
  } catch (problem) {
    return failure(problem, report)
  }
}

async function successLater(
  task: Task,
  production: PromiseLike<Production>,
  report: (problem: unknown) => void,
): Promise<Ending> {
  try {
    return success(task, await production)
  } catch (problem) {
    return failure(problem, report)
  }
}

function success({ plan }: Task, { result, usage }: Production): Ending {
  return { status: 'succeeded', result, cost: costOf(plan.price, usage) }
}

function failure(problem: unknown, report: (problem: unknown) => void): Ending {
  report(problem)
  return { status: 'failed', error: DEFAULT_TASK_ERROR }
}
