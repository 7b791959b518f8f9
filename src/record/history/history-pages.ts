import { UsageError } from '../../engine/errors.js'
import { isJsonObject, type JsonObject, parseJson } from '../../engine/json.js'
import { shown } from '../field-readers.js'

/** The version of the format of {@link historyLine}. */
const VERSION = 1
const START = /^\{"tasksim_history":/

/** A page of the list of a service, as a history file keeps it. */
export interface HistoryPage {
  /** The name of the wire format. */
  readonly dialect: string
  /** The URL of the next page; null after the last one. */
  readonly next: string | null
}

/** The service whose pages a history file keeps. */
export interface HistoryService {
  readonly dialect: string
  /** The field of a page with its tasks. */
  readonly listName: string
}

/** Whether a text is the start of a history file. */
export function isHistory(start: string): boolean {
  return START.test(start)
}

/** A page as a line of a history file: tasks as the service shows them, and the URL of the next page. */
export function historyLine(
  { dialect, listName }: HistoryService,
  tasks: readonly JsonObject[],
  next: string | null,
): string {
  return `${JSON.stringify({ tasksim_history: VERSION, dialect, next, [listName]: tasks })}\n`
}

/**
 * Checks a line of a history file.
 * @param position the file and the line, for the message
 * @throws UsageError if it is not a page of this service
 */
export function readHistoryLine(
  line: string,
  { dialect, listName }: HistoryService,
  position: string,
): HistoryPage {
  const fail = (problem: string, remedy = REMEDY): never => {
    throw new UsageError(`${position}: ${problem}. ${remedy}`)
  }
  const page = parseJson(line)
  if (!isJsonObject(page)) return fail('expected a page of a history, as a JSON object')
  const { tasksim_history: version, dialect: own, next } = page
  if (typeof version === 'number' && version > VERSION)
    fail(`a newer tasksim wrote version ${version} of the format; this one reads ${VERSION}`, NEWER)
  if (version !== VERSION) fail(`tasksim_history: expected ${VERSION}, got ${shown(version)}`)
  if (own !== dialect) {
    const remedy = `Pass --dialect ${typeof own === 'string' ? own : 'NAME'}, or choose another file`
    fail(`dialect: expected ${shown(dialect)}, got ${shown(own)}`, `${remedy}.`)
  }
  if (!Array.isArray(page[listName]))
    fail(`${listName}: expected a list of tasks, got ${shown(page[listName])}`)
  if (next === null) return { dialect, next }
  if (typeof next === 'string' && URL.canParse(next)) return { dialect, next }
  return fail(`next: expected a URL or null, got ${shown(next)}`)
}

const REMEDY = 'Delete this line to continue without its tasks, or delete the file to read all pages again.'
const NEWER = 'Update tasksim, or delete the file to read all pages again.'

/**
 * Checks each line of a history file that arrives in pieces, and returns its text. An incomplete last line, which a crash
 * may leave, is not checked.
 * @param name of the file, for messages
 * @throws UsageError at the first line that is not a page of this service
 */
export async function* checkHistory(
  pieces: AsyncIterable<string>,
  service: HistoryService,
  name: string,
): AsyncGenerator<string, void, void> {
  let [rest, number] = ['', 0]
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      number += 1
      if (line.trim() !== '') readHistoryLine(line, service, `${name}:${number}`)
      yield `${line}\n`
    }
  }
  yield rest
}
