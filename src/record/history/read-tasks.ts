import { fingerprintOf } from '../../engine/fingerprint.js'
import type { ReadEntry } from './entry-reader.js'
import { type JsonElement, JsonElements } from './json-elements.js'
import type { ObservedTask } from './observed-task.js'
import { EntryError } from './task-entry.js'

/** An entry of a history that cannot be read. */
export interface SkippedEntry {
  /** The line where it starts, from 1. */
  readonly line: number
  /** What is wrong with it: the field, the value and what was expected. */
  readonly message: string
}

const encoder = new TextEncoder()

/** How the tasks of a history are read. */
export interface HistoryFormat {
  readonly readEntry: ReadEntry
  /** The field of a page with its tasks. */
  readonly listName: string
  /** Called for each entry that is no task; it may throw to stop. */
  readonly onSkipped: (entry: SkippedEntry) => void
}

/**
 * Reads the tasks in a text that arrives in pieces, with a bounded amount of memory, in any of the forms of
 * {@link JsonElements}. Ignores a task whose id came before, because pages of a list may overlap.
 */
export async function* readTasks(
  pieces: AsyncIterable<string>,
  format: HistoryFormat,
): AsyncGenerator<ObservedTask, void, void> {
  const elements = new JsonElements(format.listName)
  const known = new Set<number>()
  const taskOf = (element: JsonElement) => {
    const task = readElement(element, format)
    const key = task && fingerprintOf(encoder.encode(task.id))
    if (key === undefined || known.has(key)) return undefined
    known.add(key)
    return task
  }
  for await (const piece of pieces) {
    for (const element of elements.add(piece)) {
      const task = taskOf(element)
      if (task !== undefined) yield task
    }
  }
  for (const element of elements.end()) {
    const task = taskOf(element)
    if (task !== undefined) yield task
  }
}

function readElement(
  { text, line }: JsonElement,
  { readEntry, onSkipped }: HistoryFormat,
): ObservedTask | undefined {
  try {
    return readEntry(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) onSkipped({ line, message: `not valid JSON: ${error.message}` })
    else if (error instanceof EntryError) onSkipped({ line, message: error.message })
    else throw error
    return undefined
  }
}
