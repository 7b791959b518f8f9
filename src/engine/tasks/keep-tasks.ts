/**
 * The default number of ended tasks to keep: more than a test or a day of development creates, and about a hundred
 * megabytes with inputs of the usual length.
 */
export const DEFAULT_KEEP_TASKS = 100_000

/** The valid numbers of tasks to keep, for error messages. */
export const KEEP_TASKS_FORM = 'a whole number from 1 up, or Infinity'

/** Whether a value is a valid number of tasks to keep. With 0, no client could see the end of a task. */
export function isKeepTasks(value: unknown): value is number {
  return value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1)
}
