import { isJsonObject, type JsonObject } from '../../../engine/json.js'
import { oncePer } from '../../../engine/recent.js'
import type { DialectTable } from '../model/dialect-table.js'
import { compileTemplate, type Read } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { formsOf, type TaskForm } from './task-state.js'
import { TASK_VALUES, type TaskScope } from './task-values.js'

const WHOLE_TASK = /^\{\{\s*task\s*\}\}$/

/** The template of an answer about a task in one of its forms. */
export interface FormTemplate extends TaskForm {
  readonly template: Template
}

/**
 * The template of an answer about a task in each of its forms.
 * @param own the answer, in which `{{task}}` stands for the task; the task itself by default
 * @param removed the fields of a task whose data are not kept any more; another answer gets only those that it has anyway
 */
export function taskTemplates(
  { task, statuses }: Pick<DialectTable, 'task' | 'statuses'>,
  own: Template = '{{task}}',
  removed: JsonObject = {},
): readonly FormTemplate[] {
  const answer = isJsonObject(own) ? { ...own, ...onlyNamesOf(own, removed) } : own
  return formsOf(statuses).map((form) => {
    const { fields = {}, variants = [] } = statuses[form.status]
    const more = form.variant === undefined ? {} : (variants[form.variant]?.fields ?? {})
    return { ...form, template: inserted(answer, { ...merged(merged(task, fields), more), ...removed }) }
  })
}

function onlyNamesOf(own: JsonObject, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(own, name)))
}

/** Merges fields into others, such as those of a state into those of every state: mappings field by field. */
export function merged(task: JsonObject, fields: JsonObject): JsonObject {
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

/**
 * Compiles the template of a task: its own fields, and those of the state.
 * @param own another template in their place
 */
export function compileTask(table: DialectTable, own?: Template): Read<TaskScope> {
  const reads = readersOf(table, own)
  const { removed } = table
  if (removed === undefined) return (scope) => reads.get(scope.form)?.(scope)
  const readsOfRemoved = readersOf(table, own, removed)
  return (scope) => (scope.isRemoved() ? readsOfRemoved : reads).get(scope.form)?.(scope)
}

function readersOf(table: DialectTable, own?: Template, removed?: JsonObject) {
  const templates = taskTemplates(table, own, removed)
  return new Map(templates.map(({ key, template }) => [key, compileTemplate(template, TASK_VALUES)]))
}

/** Reads a task as answers show it by default. Compiled on first use, because few templates need it. */
export const wholeTask = oncePer((table: DialectTable) => compileTask(table))
