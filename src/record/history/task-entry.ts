import { isJsonObject } from '../../engine/json.js'
import { list } from '../../engine/suggest.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import {
  anyObject,
  EntryError,
  flaw,
  numberOf,
  objectOf,
  type Read,
  shown,
  textOf,
  time,
  unlessNull,
} from '../field-readers.js'
import type { ObservedTask } from './observed-task.js'

const name = textOf('a string', (text) => text !== '')

const status: Read<Status> = (value, path) => {
  const known = STATUSES.find((each) => each === value)
  if (known === undefined) throw flaw(path, list(STATUSES), value)
  return known
}

const taskFields = objectOf({
  status,
  created_at: time,
  started_at: unlessNull(time),
  completed_at: unlessNull(time),
  id: name,
  model: name,
  kind: unlessNull(name),
  error: unlessNull(anyObject),
  cost_usd: unlessNull(numberOf('a number of US dollars from 0 up', (value) => value >= 0)),
  input: unlessNull(anyObject),
  output: unlessNull(anyObject),
})

/**
 * Reads a task as the dialect `tasks` shows it. `started_at` and `kind`, which the service does not show, are optional.
 * @throws EntryError if it is not such a task
 */
export function readTaskEntry(value: unknown): ObservedTask {
  if (!isJsonObject(value))
    throw new EntryError(`expected an object with the fields of a task, got ${shown(value)}`)
  const { created_at, started_at, completed_at, error, cost_usd: costUsd, ...task } = taskFields(value, '')
  const createdAt = Date.parse(created_at)
  const startedAt = started_at === undefined ? undefined : Date.parse(started_at)
  const endedAt = completed_at === undefined ? undefined : Date.parse(completed_at)
  if (startedAt !== undefined && startedAt < createdAt)
    throw flaw('started_at', 'a time that is not before `created_at`', started_at)
  if (endedAt !== undefined && endedAt < (startedAt ?? createdAt))
    throw flaw('completed_at', 'a time that is not before the creation or the start', completed_at)
  return { ...task, dialect: 'tasks', createdAt, startedAt, endedAt, error: error && errorOf(error), costUsd }
}

function errorOf({ code, message }: ReturnType<typeof anyObject>): NonNullable<ObservedTask['error']> {
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : '',
  }
}
