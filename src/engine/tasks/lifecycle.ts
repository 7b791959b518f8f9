import { isTerminal, type Result, type Task, type TaskError } from './task.js'

/** What a task ends with. */
export type Ending =
  | { readonly status: 'succeeded'; readonly result: Result; readonly cost: number }
  | { readonly status: 'failed'; readonly error: TaskError }
  | { readonly status: 'canceled' }

/**
 * The task once it has left the queue.
 * @param at epoch milliseconds
 * @returns undefined where it is not queued
 */
export function start(task: Task, at: number): Task | undefined {
  // On a late timer a place may have come free before the task was there to take it.
  const startedAt = Math.max(at, task.createdAt)
  return task.status === 'queued' ? { ...task, status: 'processing', startedAt } : undefined
}

/**
 * The task after its end; only a success has a result and a cost.
 * @param at epoch milliseconds
 * @returns undefined where the task has ended already: a state is never left backwards, nor an end replaced
 */
export function end(task: Task, ending: Ending, at: number): Task | undefined {
  if (isTerminal(task.status)) return undefined
  return {
    ...task,
    status: ending.status,
    completedAt: at,
    result: ending.status === 'succeeded' ? ending.result : undefined,
    error: ending.status === 'failed' ? ending.error : undefined,
    cost: ending.status === 'succeeded' ? ending.cost : 0,
  }
}
