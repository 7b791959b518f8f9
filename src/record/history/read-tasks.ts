import { fingerprintOf } from '../../engine/digest.js'
import type { ReadEntry } from './entry-reader.js'
import { JsonElements, splitElements } from './json-elements.js'
import type { ObservedTask } from './observed-task.js'
import { type OnSkipped, readElement } from './read-element.js'

const encoder = new TextEncoder()

/** How the tasks of a history are read. */
export interface HistoryFormat {
  readonly readEntry: ReadEntry
  /** The field of a page with its tasks. */
  readonly listName: string
  /** Called for each entry that is not a task; it may throw to stop. */
  readonly onSkipped: OnSkipped
}

/**
 * Reads the tasks in a text that arrives in pieces, with a bounded amount of memory, in any of the forms of
 * {@link JsonElements}. Ignores a task whose id it has read before, because pages of a list may overlap.
 */
export async function* readTasks(
  pieces: AsyncIterable<string>,
  { listName, readEntry, onSkipped }: HistoryFormat,
): AsyncGenerator<ObservedTask, void, void> {
  const known = new Set<number>()
  for await (const element of splitElements(pieces, new JsonElements(listName))) {
    const task = readElement(element, readEntry, onSkipped)
    if (task === undefined) continue
    const key = fingerprintOf(encoder.encode(task.id))
    if (known.has(key)) continue
    known.add(key)
    yield task
  }
}
