import TinyQueue from 'tinyqueue'
import type { Flow } from './flow.js'

/**
 * When each task started, if at most `running` tasks run at the same time and start in the order of their creation.
 * This follows from the creations and ends alone: a task starts once fewer than `running` earlier tasks are open.
 * @returns epoch milliseconds; NaN for a task that never started
 */
export function fifoStarts({ created, ended, mayLackStart }: Flow, running: number): Float64Array {
  const starts = new Float64Array(created.length).fill(Number.NaN)
  /** The latest ends of earlier tasks, as many as may run. */
  const latest = new TinyQueue<number>()
  let previous = -Infinity
  for (const [index, creation] of created.entries()) {
    const free = latest.length < running ? -Infinity : (latest.peek() ?? -Infinity)
    const start = Math.max(creation, previous, free)
    const end = ended[index] ?? Infinity
    if (mayLackStart[index] === 1 && (start >= end || end === Infinity)) continue
    starts[index] = start
    previous = start
    latest.push(end)
    if (latest.length > running) latest.pop()
  }
  return starts
}
