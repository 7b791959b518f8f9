import type { JsonObject } from '../../engine/json.js'
import type { Task } from '../../engine/tasks/task.js'
import { cachedText } from '../cached-text.js'
import type { Call } from '../call.js'
import { baseOf } from './base-of.js'
import type { DialectTable } from './dialect-table.js'
import type { OperationPlace } from './operation-place.js'
import { streamUrlOf } from './stream-url.js'
import { withState } from './task-state.js'
import { mapForms, taskTemplates } from './task-template.js'
import { isChanging, TASK_VALUES, type TaskScope } from './task-values.js'
import { compileTemplate, namesIn, type Read, SPREAD } from './template/compile.js'
import { compileJson } from './template/compile-json.js'
import type { Template } from './template/template.js'

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
  return mapForms(taskTemplates(table, own, removed), (template) => compileTemplate(template, TASK_VALUES))
}

const wholeTasks = new WeakMap<DialectTable, Read<TaskScope>>()

/** Reads a task as answers show it by default. Compiled on first use, because few templates need it. */
export function wholeTask(table: DialectTable): Read<TaskScope> {
  const known = wholeTasks.get(table)
  if (known !== undefined) return known
  const read = compileTask(table)
  wholeTasks.set(table, read)
  return read
}

/** The scope of a task in an answer. */
export function scopeOf(table: DialectTable, call: Call, task: Task, place: OperationPlace): TaskScope {
  const { sim, request } = call
  const now = sim.clock.now()
  const output =
    task.result === undefined ? undefined : sim.outputs.of(task, sim.publicOrigin(request.origin), now)
  const scope = {
    task,
    now,
    base: () => baseOf(call, place),
    streamUrl: () => streamUrlOf(table, task, baseOf(call, place)),
    output,
    isRemoved: () => sim.outputs.isGone(task, now),
    whole: (scope: TaskScope) => wholeTask(table)(scope),
    progress: () => sim.tasks.progress.of(task),
    logs: () => sim.tasks.progress.logsOf(task),
  }
  return withState(table, scope, (id) => sim.tasks.positionOf(id))
}

/** Returns a function that writes a task as JSON. It caches the texts. */
export function taskWriter(
  table: DialectTable,
  place: OperationPlace,
  own?: Template,
): (call: Call, task: Task) => string {
  const templates = taskTemplates(table, own)
  const writers = mapForms(templates, (template, { status }) => {
    const hasPlace = table.statuses[status].behind !== undefined
    return compileJson(
      template,
      TASK_VALUES,
      (name, scope) => isChanging(name, scope) || (hasPlace && name === 'status'),
    )
  })
  const readRemoved = table.removed && compileTask(table, own)
  return cachedText({
    write(call, task) {
      const scope = scopeOf(table, call, task, place)
      if (readRemoved !== undefined && scope.isRemoved()) return JSON.stringify(readRemoved(scope) ?? {})
      const text = writers.get(scope.form)?.(scope) ?? '{}'
      return typeof text === 'string' ? text : (call) => text(scopeOf(table, call, task, place))
    },
    hasUrls: hasUrls(namesIn(templates.map(({ template }) => template))),
  })
}

function hasUrls(names: ReadonlySet<string>): boolean {
  return names.has('base') || names.has('stream_url') || names.has('task')
}

/** The field of a template that holds a value; undefined if none does. */
export function fieldOf(template: JsonObject, name: string): string | undefined {
  return Object.keys(template).find((field) => field !== SPREAD && template[field] === `{{${name}}}`)
}
