import { oncePer } from '../../../engine/recent.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { DialectTable } from '../model/dialect-table.js'

/** The tables of the objects besides the main one, by their names: each is the whole table with the fields of the object. */
const objectTables = oncePer(
  (table: DialectTable) =>
    new Map(Object.keys(table.objects ?? {}).map((name) => [name, ofObject(table, name)])),
)

/** The tables of all objects, the main one first. */
export function allTables(table: DialectTable): readonly [DialectTable, ...DialectTable[]] {
  return [table, ...objectTables(table).values()]
}

/** The table of an object; the whole table for the main object. */
export function tableOf(table: DialectTable, object: string | undefined): DialectTable {
  return (object !== undefined && objectTables(table).get(object)) || table
}

/** Whether a task is of an object; undefined is the main one. */
export function isOfObject({ extra }: Pick<Task, 'extra'>, object: string | undefined): boolean {
  return extra?.['object'] === object
}

/**
 * Returns whether a task is of the object of a table.
 * @returns undefined if all tasks of the dialect are of the same object
 */
export function ownerOf({
  objects,
  object,
}: DialectTable): ((task: Pick<Task, 'extra'>) => boolean) | undefined {
  if (objects === undefined && object === undefined) return undefined
  return (task) => isOfObject(task, object)
}

/** The table of the object of a task. */
export function tableOfTask(table: DialectTable, { extra }: Pick<Task, 'extra'>): DialectTable {
  const object = extra?.['object']
  return tableOf(table, typeof object === 'string' ? object : undefined)
}

function ofObject({ objects = {}, ...table }: DialectTable, name: string): DialectTable {
  const { webhook, ...own } = objects[name] ?? table
  return {
    ...table,
    poll_interval: undefined,
    ...own,
    object: name,
    webhook: webhook && { ...table.webhook, if: undefined, body: undefined, ...webhook },
  }
}
