import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { DialectTable } from './dialect-table.js'
import type { Template } from './template/template.js'

const WHOLE_TASK = /^\{\{\s*task\s*\}\}$/

/**
 * The template of an answer about a task in each state.
 * @param own the answer, in which `{{task}}` stands for the task; the task itself by default
 */
export function taskTemplates(
  { task, statuses }: Pick<DialectTable, 'task' | 'statuses'>,
  own: Template = '{{task}}',
): Readonly<Record<Status, Template>> {
  return byStatus((status) => inserted(own, merged(task, statuses[status].fields ?? {})))
}

/** Makes a value for each state. */
export function byStatus<Value>(make: (status: Status) => Value): Readonly<Record<Status, Value>> {
  return Object.fromEntries(STATUSES.map((status) => [status, make(status)])) as Record<Status, Value>
}

/** Merges the fields of a state into those of every state: mappings field by field, anything else as a whole. */
function merged(task: JsonObject, fields: JsonObject): JsonObject {
  const mapping = { ...task }
  for (const [name, value] of Object.entries(fields)) {
    const known = mapping[name]
    mapping[name] = isJsonObject(known) && isJsonObject(value) ? merged(known, value) : value
  }
  return mapping
}

/** Inserts the template of the task, so that a poll of a wrapped task costs no more than one of the task itself. */
function inserted(own: Template, whole: JsonObject): Template {
  if (typeof own === 'string') return WHOLE_TASK.test(own) ? whole : own
  if (Array.isArray(own)) return own.map((inner) => inserted(inner, whole))
  if (!isJsonObject(own)) return own
  return Object.fromEntries(Object.entries(own).map(([name, inner]) => [name, inserted(inner, whole)]))
}
