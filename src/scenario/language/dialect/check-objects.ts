import { fieldOf } from '../../../dialects/table/answers/task-writer.js'
import type { DialectTable } from '../../../dialects/table/model/dialect-table.js'
import { list } from '../../../engine/suggest.js'

/** The values whose fields must be the same in tasks of all types, because faults and findings look for them. */
const SHARED = ['id', 'status'] as const

/** Returns the mistake in `objects`, if tasks of a type hold the id or the state in another field than the main ones. */
export function flawOfObjects({
  task,
  objects = {},
}: Pick<DialectTable, 'task' | 'objects'>): string | undefined {
  for (const [type, object] of Object.entries(objects)) {
    const moved = SHARED.find((name) => fieldOf(task, name) !== fieldOf(object.task, name))
    if (moved !== undefined)
      return `the task of \`${type}\` must have {{${moved}}} in the field \`${fieldOf(task, moved) ?? moved}\`, as the main task`
  }
  return undefined
}

/** Returns the mistake in `operations`, if one of them names a type of tasks that does not exist. */
export function flawOfOperations({
  operations,
  objects = {},
}: Pick<DialectTable, 'operations' | 'objects'>): string | undefined {
  const names = Object.keys(objects)
  const wrong = operations.find(({ object }) => object !== undefined && !names.includes(object))
  if (wrong === undefined) return undefined
  const help = names.length === 0 ? 'add it to `objects`' : `expected ${list(names)}`
  return `${wrong.method} ${wrong.path} names the unknown object \`${wrong.object}\`; ${help}`
}
