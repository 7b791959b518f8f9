import type { Task } from './task.js'

/** How long a task has waited and run so far, or did until its end, in milliseconds. */
export interface TaskDurations {
  /** From its creation to its start. */
  readonly queued: number
  /** From its start to its end; 0 before its start. */
  readonly running: number
}

/**
 * Measures how long a task has waited and run.
 * @param now epoch milliseconds; has no effect after the end of the task
 */
export function durationsOf(
  { createdAt, startedAt, completedAt = Infinity }: Task,
  now: number,
): TaskDurations {
  const until = Math.min(completedAt, now)
  return {
    queued: (startedAt ?? until) - createdAt,
    running: until - (startedAt ?? until),
  }
}
