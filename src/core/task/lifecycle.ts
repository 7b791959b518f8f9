import { isTerminal, type Result, type Task } from './task.js'

/** What a task ends with. */
export type Ending =
  | { readonly status: 'succeeded'; readonly result: Result; readonly cost: number }
  | { readonly status: 'failed' | 'canceled' }

/**
 * The task after its end; only a success has a result and a cost.
 * @param at epoch milliseconds
 * @returns undefined where the task has ended already: a state is never left backwards, nor an end replaced
 */
export function end(task: Task, ending: Ending, at: number): Task | undefined {
  if (isTerminal(task.status)) return undefined
  const { status } = ending
  const gain = ending.status === 'succeeded' ? ending : { result: undefined, cost: 0 }
  return { ...task, status, completedAt: at, result: gain.result, cost: gain.cost }
}
