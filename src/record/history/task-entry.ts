import { isSupportedInstant } from '../../engine/clock/instants.js'
import { excerptOf, isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { list } from '../../engine/suggest.js'
import { STATUSES } from '../../engine/tasks/task.js'
import type { ObservedTask } from './observed-task.js'

/** Why an entry of a history is not a task. */
export class EntryError extends Error {
  override readonly name = 'EntryError'
}

const LONGEST_SHOWN = 80
const TIME = 'a time such as "2026-11-22T10:00:00.000Z"'

/**
 * Reads a task as the dialect `tasks` shows it. `started_at` and `kind`, which the service does not show, are optional.
 * @throws EntryError if it is not such a task
 */
export function readTaskEntry(value: unknown): ObservedTask {
  if (!isJsonObject(value))
    throw new EntryError(`expected an object with the fields of a task, got ${shown(value)}`)
  const status = STATUSES.find((known) => known === value['status'])
  if (status === undefined) throw flaw(value, 'status', list(STATUSES))
  const [createdAt, startedAt] = [timeIn(value, 'created_at'), optionalTime(value, 'started_at')]
  const endedAt = optionalTime(value, 'completed_at')
  if (startedAt !== undefined && startedAt < createdAt)
    throw flaw(value, 'started_at', 'a time that is not before `created_at`')
  if (endedAt !== undefined && endedAt < (startedAt ?? createdAt))
    throw flaw(value, 'completed_at', 'a time that is not before the creation or the start')
  return {
    id: textIn(value, 'id'),
    dialect: 'tasks',
    model: textIn(value, 'model'),
    kind: isMissing(value['kind']) ? undefined : textIn(value, 'kind'),
    status,
    createdAt,
    startedAt,
    endedAt,
    error: errorIn(value),
    costUsd: costIn(value),
    input: objectIn(value, 'input'),
    output: objectIn(value, 'output'),
  }
}

function textIn(entry: JsonObject, field: string): string {
  const value = entry[field]
  if (typeof value === 'string' && value !== '') return value
  throw flaw(entry, field, 'a string')
}

function timeIn(entry: JsonObject, field: string): number {
  const value = entry[field]
  const time = typeof value === 'string' ? readInstantText(value) : undefined
  if (time === undefined) throw flaw(entry, field, TIME)
  return time
}

function optionalTime(entry: JsonObject, field: string): number | undefined {
  return isMissing(entry[field]) ? undefined : timeIn(entry, field)
}

function objectIn(entry: JsonObject, field: string): JsonObject | undefined {
  const value = entry[field]
  if (isMissing(value)) return undefined
  if (isJsonObject(value)) return value
  throw flaw(entry, field, 'an object')
}

function errorIn(entry: JsonObject): ObservedTask['error'] {
  const error = objectIn(entry, 'error')
  if (error === undefined) return undefined
  const { code, message } = error
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : '',
  }
}

function costIn(entry: JsonObject): number | undefined {
  const value = entry['cost_usd']
  if (isMissing(value)) return undefined
  if (typeof value === 'number' && value >= 0) return value
  throw flaw(entry, 'cost_usd', 'a number of US dollars from 0 up')
}

function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}

function flaw(entry: JsonObject, field: string, expected: string): EntryError {
  return new EntryError(`${field}: expected ${expected}, got ${shown(entry[field])}`)
}

/** The start of a value, for a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : excerptOf(value as JsonValue, LONGEST_SHOWN)
}

/** Reads an instant in a text. @returns undefined if it is none, or not in the years 1 to 9999 */
export function readInstantText(text: string): number | undefined {
  const at = Date.parse(text)
  return isSupportedInstant(at) ? at : undefined
}
