import { list, suggest } from '../../engine/suggest.js'
import { fieldOf, idFieldOf } from '../table/answer-shape.js'
import type { DialectTable } from '../table/dialect-table.generated.js'
import { isBelow } from '../table/ended.js'

/**
 * Returns the mistake in `objects`, if faults and findings could not tell the id or the state of tasks of a type: the
 * state must be in the field of the main task, if that has one, and the id in a field that the main task lacks, or uses
 * for its own id.
 */
export function flawOfObjects({
  task,
  objects = {},
}: Pick<DialectTable, 'task' | 'objects'>): string | undefined {
  const [mainId, mainStatus] = [idFieldOf(task), fieldOf(task, 'status')]
  for (const [type, object] of Object.entries(objects)) {
    const own = { id: idFieldOf(object.task), status: fieldOf(object.task, 'status') }
    if (mainStatus !== undefined && own.status !== mainStatus)
      return `the task of \`${type}\` must have {{status}} in the field \`${mainStatus}\`, as the main task`
    const hasOwnField = Object.hasOwn(object.task, own.id) && !Object.hasOwn(task, own.id)
    if (own.id !== mainId && (!hasOwnField || Object.hasOwn(object.task, mainId)))
      return `the task of \`${type}\` must have {{id}} in the field \`${mainId}\`, as the main task`
  }
  return undefined
}

/** Returns the mistake in `operations`, if one of them names a type of tasks that does not exist. */
export function flawOfOperations({
  operations,
  objects = {},
}: Pick<DialectTable, 'operations' | 'objects'>): string | undefined {
  const names = Object.keys(objects)
  const wrong = operations.find(({ action, object }) => {
    const isKnown = object === undefined || names.includes(object) || (action === 'file' && object === 'any')
    return !isKnown
  })
  if (wrong === undefined) return undefined
  const help = names.length === 0 ? 'add it to `objects`' : `expected ${list(names)}`
  return `${wrong.method} ${wrong.path} names the unknown object \`${wrong.object}\`; ${help}`
}

/** Returns the mistake in `operations`, if none creates tasks, or one would reject every create request. */
export function flawOfCreates({ operations }: Pick<DialectTable, 'operations'>): string | undefined {
  if (!operations.some(({ action }) => action === 'create'))
    return 'no operation creates tasks; add one such as `POST /jobs: { action: create }`'
  const flawed = operations.find(
    (operation) =>
      operation.action === 'create' &&
      operation.model === undefined &&
      operation.fields?.includes('model') === false,
  )
  if (flawed === undefined) return undefined
  return `${flawed.method} ${flawed.path} would reject every request: its \`fields\` lack \`model\`, which names the model by default; add \`model: acme-1\`, or a template such as \`model: "{{path.model}}"\``
}

/** Returns the mistake in `ended`, if it names a path without an operation. */
export function flawOfEnded({
  ended = [],
  operations,
}: Pick<DialectTable, 'ended' | 'operations'>): string | undefined {
  const known = operations.map(({ path }) => path || '/')
  const unknown = ended
    .flatMap(({ paths = [] }) => paths)
    .find((start) => !known.some((path) => isBelow(path, start)))
  return unknown === undefined
    ? undefined
    : `no operation is at \`${unknown}\` or below it; ${suggest(unknown, known)}`
}
