import type { JsonObject } from '../../../engine/json.js'
import { oncePer } from '../../../engine/once-per.js'
import type { DialectTable } from '../model/dialect-table.js'
import { compileTemplate, type Read } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { mapForms, taskTemplates } from './task-template.js'
import { TASK_VALUES, type TaskScope } from './task-values.js'

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

/** Reads a task as answers show it by default. Compiled on first use, because few templates need it. */
export const wholeTask = oncePer((table: DialectTable) => compileTask(table))
