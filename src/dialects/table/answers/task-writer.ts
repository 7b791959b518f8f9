import type { JsonObject } from '../../../engine/json.js'
import type { Task } from '../../../engine/tasks/task.js'
import { baseForClient } from '../../base-for-client.js'
import { cachedText } from '../../cached-text.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { mapForms, taskTemplates } from '../tasks/task-template.js'
import { TASK_VALUES } from '../tasks/task-values.js'
import { namesIn, SPREAD } from '../template/compile.js'
import { compileJson, type JsonText } from '../template/compile-json.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'

/**
 * Returns a function that writes a task as JSON. It caches the texts.
 * @param own another template in place of that of the task
 * @param hidesLogs whether the client asked for an answer without log lines
 */
export function taskWriter(
  table: DialectTable,
  place: OperationPlace,
  own?: Template,
  hidesLogs = false,
): (call: Call, task: Task) => string {
  const templates = taskTemplates(table, own)
  const writers = mapForms(templates, compiled)
  const { removed } = table
  const ofRemoved = removed && mapForms(taskTemplates(table, own, removed), compiled)
  return cachedText<JsonText<AnswerScope>>({
    write(call, task, previous) {
      const scope = new AnswerScope(table, call, task, place)
      scope.hidesLogs = hidesLogs
      const write = (ofRemoved !== undefined && scope.isRemoved() ? ofRemoved : writers).get(scope.form)
      return (write ?? writeNothing)(scope, previous)
    },
    hasUrls: table.outputs?.url !== undefined || hasUrls(namesIn(templates.map(({ template }) => template))),
    ...(place.bases.length > 0 && { clientOf: (call: Call) => baseForClient(call, place.bases) }),
  })
}

const compiled = (template: Template) => compileJson<AnswerScope>(template, TASK_VALUES)
const writeNothing = compileJson<AnswerScope>({}, {})

function hasUrls(names: ReadonlySet<string>): boolean {
  return names.has('base') || names.has('stream_url') || names.has('task') || names.has('result')
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}
