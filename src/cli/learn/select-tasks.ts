import { DURATION_FORM, readDuration } from '../../engine/clock/durations.js'
import type { ObservedTask } from '../../record/history/observed-task.js'
import { CommandLineError } from '../errors.js'

/** Which tasks of a history to use. */
export interface Selection {
  /** Epoch milliseconds: tasks that were created earlier are ignored. */
  readonly since: number | undefined
  readonly limit: number | undefined
  /** Whether the newest tasks come first, so that tasks after an ignored one are ignored, too. */
  readonly isNewestFirst: boolean
}

/** Selects tasks of a history. It stops reading once no further task can be selected. */
export async function* selectTasks(
  tasks: AsyncIterable<ObservedTask>,
  { since = -Infinity, limit = Infinity, isNewestFirst }: Selection,
): AsyncGenerator<ObservedTask, void, void> {
  let count = 0
  for await (const task of tasks) {
    if (task.createdAt >= since) {
      yield task
      count += 1
    } else if (isNewestFirst) return
    if (count >= limit) return
  }
}

/**
 * Reads `--since`: a time, or a duration before now.
 * @throws CommandLineError if it is neither
 */
export function readSince(text: string, now: number): number {
  const ago = readDuration(text)
  const time = ago === undefined ? Date.parse(text) : now - ago
  if (!Number.isNaN(time)) return time
  throw new CommandLineError(
    `--since must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, or ${DURATION_FORM}; got ${JSON.stringify(text)}.`,
  )
}
