import { isTerminal, type Result, type Task, type TaskError } from './task.js'

/** The end of a task. */
export type Ending =
  | { readonly status: 'succeeded'; readonly result: Result; readonly cost: number }
  | { readonly status: 'failed'; readonly error: TaskError }
  | { readonly status: 'canceled' }

/**
 * Moves a task out of the queue.
 * @param at epoch milliseconds
 * @returns undefined if the task is not queued
 */
export function start(task: Task, at: number): Task | undefined {
  // If a timer is late, a slot may have become free before the creation of the task.
  const startedAt = Math.max(at, task.createdAt)
  return task.status === 'queued' ? { ...task, status: 'processing', startedAt } : undefined
}

/**
 * Ends a task. Only a success has a result and a cost.
 * @param at epoch milliseconds
 * @param polls the number of its polls, if they determine its end
 * @returns undefined if the task has already ended: no transition leaves a terminal state
 */
export function end(task: Task, ending: Ending, at: number, polls?: number): Task | undefined {
  if (isTerminal(task.status)) return undefined
  return {
    ...task,
    status: ending.status,
    completedAt: at,
    polls,
    result: ending.status === 'succeeded' ? ending.result : undefined,
    error: ending.status === 'failed' ? ending.error : undefined,
    cost: ending.status === 'succeeded' ? ending.cost : 0,
  }
}

/** A task as it was before its start. */
export function beforeStart(task: Task): Task {
  return { ...whileRunning(task), status: 'queued', startedAt: undefined }
}

/**
 * A task that has started, as it was before its end.
 * @param result the part of the result that was ready
 */
export function whileRunning(task: Task, result?: Result): Task {
  const none = { completedAt: undefined, polls: undefined, error: undefined, cost: undefined }
  return { ...task, ...none, status: 'processing', result }
}
