/**
 * How many tasks that have ended are kept unless it is said otherwise. No test and no day of development makes so
 * many, and with inputs of a usual length they take about a hundred megabytes, so that a server can run for ever.
 */
export const USUALLY_KEPT = 100_000

/** What the number of tasks to keep is, for error messages. */
export const KEEP_TASKS_FORM = 'a whole number from 1 up, or Infinity'

/** Tells whether a value is a number of tasks to keep: none at all would be gone before their end is seen. */
export function isKeepTasks(value: unknown): value is number {
  return value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1)
}
