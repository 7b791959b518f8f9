import type { JsonObject } from '../../engine/json.js'
import { STATUSES, type Status, type Task } from '../../engine/tasks/task.js'
import { cachedText } from '../cached-text.js'
import type { Call } from '../dialect.js'
import { baseOf } from './base-of.js'
import type { DialectTable, StatusForm, Template } from './dialect-table.js'
import type { OperationPlace } from './operation-place.js'
import { isSteady, TASK_VALUES, type TaskScope } from './task-values.js'
import { compileTemplate, namesIn, type Read, SPREAD } from './template/compile.js'

/** Compiles the template of a task: its own fields, and those of the state. */
export function compileTask({ task, statuses }: DialectTable, own?: Template): Read<TaskScope> {
  if (own !== undefined) return compileTemplate(own, TASK_VALUES)
  const byStatus = Object.fromEntries(
    STATUSES.map((status) => [status, compileTemplate(withFields(task, statuses[status]), TASK_VALUES)]),
  ) as Readonly<Record<Status, Read<TaskScope>>>
  return (scope) => byStatus[scope.task.status](scope)
}

function withFields(task: JsonObject, { fields = {} }: StatusForm): JsonObject {
  return { ...task, ...fields }
}

/** The word of a task's state. */
export function wordOf(statuses: DialectTable['statuses'], { status, error }: Task): string {
  const { word, by_error: byError } = statuses[status]
  if (byError === undefined || error === undefined || !Object.hasOwn(byError, error.code)) return word
  return byError[error.code] ?? word
}

/** The scope of a task in an answer. */
export function scopeOf(table: DialectTable, call: Call, task: Task, place: OperationPlace): TaskScope {
  const { sim, request } = call
  const now = sim.clock.now()
  const output =
    task.result === undefined ? undefined : sim.outputs.of(task, sim.publicOrigin(request.origin), now)
  return {
    task,
    word: wordOf(table.statuses, task),
    now,
    base: () => baseOf(call, place),
    output,
    progress: () => sim.tasks.progress.of(task),
  }
}

/** Returns a function that writes a task as JSON. It caches the texts. */
export function taskWriter(
  table: DialectTable,
  place: OperationPlace,
  own?: Template,
): (call: Call, task: Task) => string {
  const read = compileTask(table, own)
  const { task, statuses } = table
  const names = namesIn(own ?? [task, ...STATUSES.map((status) => statuses[status].fields ?? {})])
  return cachedText({
    write: (call, task) => JSON.stringify(read(scopeOf(table, call, task, place)) ?? {}),
    hasUrls: names.has('base'),
    isSteady: (task) => isSteady(names, task),
  })
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}
