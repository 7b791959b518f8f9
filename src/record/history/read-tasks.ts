import { MAIN_DIALECT } from '../../dialects/built-in.js'
import type { Dialect } from '../../dialects/dialect.js'
import { readTask } from '../../dialects/reading/read-task.js'
import { createForms } from '../../dialects/requests/create-form.js'
import { parseText } from '../../dialects/table/template/parse.js'
import { fingerprintOf } from '../../engine/digest.js'
import { isJsonObject } from '../../engine/json.js'
import { list } from '../../engine/suggest.js'
import { EntryError, shown } from '../field-readers.js'
import { JsonElements, type OnSkipped, readElement, splitElements } from './json-elements.js'
import { endOfUnknown, type ObservedTask } from './observed-task.js'
import { readTaskEntry } from './task-entry.js'

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

/** Reads an entry of a history. @throws EntryError if it is not a task */
type ReadEntry = (value: unknown) => ObservedTask

/** Returns the reader for the tasks of a service. Files that users write themselves have tasks of the main dialect. */
export function entryReader(dialect: Dialect): ReadEntry {
  if (dialect === MAIN_DIALECT) return readTaskEntry
  const usualModel = modelOf(dialect)
  return (value) => {
    if (!isJsonObject(value)) throw new EntryError(`expected an object, got ${shown(value)}`)
    const { answers } = dialect
    const [idField = 'id'] = answers.ids
    const { id, model = usualModel, createdAt, cost, ...seen } = readTask(dialect, value)
    const status = seen.unknownWord === undefined ? seen.status : endOfUnknown(seen)
    if (id === undefined)
      throw new EntryError(`${idField}: expected the id of a task, got ${shown(value[idField])}`)
    if (status === undefined) {
      const words = list(Object.keys(answers.words))
      throw new EntryError(`${answers.status}: expected ${words}, got ${shown(value[answers.status])}`)
    }
    if (model === undefined) throw missing(id, 'its model')
    if (createdAt === undefined) throw missing(id, 'the time of its creation')
    return { ...seen, id, dialect: dialect.name, status, model, createdAt, costUsd: cost }
  }
}

/** The model of a request that names none. */
function modelOf(dialect: Dialect): string | undefined {
  for (const { model = '' } of createForms(dialect)) {
    for (const part of parseText(model)) {
      const constants =
        typeof part === 'string' ? [] : part.map(({ value }) => 'constant' in value && value.constant)
      const usual = constants.find((constant) => typeof constant === 'string')
      if (typeof usual === 'string') return usual
    }
  }
  return undefined
}

function missing(id: string, what: string): EntryError {
  return new EntryError(`the task ${JSON.stringify(id)} does not show ${what}`)
}
