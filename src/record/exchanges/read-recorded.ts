import type { Dialect } from '../../dialects/dialect.js'
import type { ObservedTask } from '../history/observed-task.js'
import type { Traffic } from '../learn/traffic/traffic.js'
import type { RecordingEntry } from '../recording/recording.js'
import { ObservedTasks } from './observed-tasks.js'
import { seenEntry } from './seen-entry.js'

/**
 * Reads the tasks in the entries of a recording: those that its requests create, poll and list.
 * @param traffic gets all requests
 */
export async function* readRecorded(
  entries: AsyncIterable<RecordingEntry>,
  dialect: Dialect,
  traffic?: Traffic,
): AsyncGenerator<ObservedTask, void, void> {
  const observed = new ObservedTasks(dialect)
  for await (const entry of entries) {
    if (entry.type === 'file') continue
    const exchange = seenEntry(entry)
    observed.add(exchange)
    traffic?.add(exchange)
  }
  yield* observed.tasks()
}
