import type { JsonObject } from '../../../engine/json.js'
import { oncePer } from '../../../engine/once-per.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { mapForms, taskTemplates } from '../tasks/task-template.js'
import { TASK_VALUES } from '../tasks/task-values.js'
import { compileTemplate, namesIn, SPREAD } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'
import { cachedText } from './cached-text.js'

type WriteAtPlace = (call: Call, task: Task, place: OperationPlace) => string

/** The writers of each table, so that all operations that show a task in the same form share its cached text. */
const writersOf = oncePer((_: DialectTable) => new Map<string, WriteAtPlace>())

/**
 * Returns a function that writes a task as JSON. It caches the texts.
 * @param own another template in place of that of the task
 * @param hidesLogs whether the client asked for an answer without log lines
 */
export function taskWriter(
  table: DialectTable,
  place: OperationPlace,
  own: Template = '{{task}}',
  hidesLogs = false,
): (call: Call, task: Task) => string {
  const writers = writersOf(table)
  const key = JSON.stringify([own, hidesLogs])
  const write = writers.get(key) ?? newWriter(table, own, hidesLogs)
  writers.set(key, write)
  return (call, task) => write(call, task, place)
}

function newWriter(table: DialectTable, own: Template, hidesLogs: boolean): WriteAtPlace {
  const templates = taskTemplates(table, own)
  const readers = mapForms(templates, compiled)
  const { removed } = table
  const ofRemoved = removed && mapForms(taskTemplates(table, own, removed), compiled)
  return cachedText({
    write(call, task, place) {
      const scope = new AnswerScope(table, call, task, place)
      scope.hidesLogs = hidesLogs
      const read = (ofRemoved !== undefined && scope.isRemoved() ? ofRemoved : readers).get(scope.form)
      const text = JSON.stringify(read?.(scope) ?? {})
      return { text, until: scope.until }
    },
    hasUrls: table.outputs?.url !== undefined || hasUrls(namesIn(templates.map(({ template }) => template))),
  })
}

const compiled = (template: Template) => compileTemplate(template, TASK_VALUES)

function hasUrls(names: ReadonlySet<string>): boolean {
  return names.has('base') || names.has('stream_url') || names.has('task') || names.has('result')
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}
