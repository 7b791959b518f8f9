import type { DialectTable } from '../../src/dialects/table/dialect-table.generated.js'
import type { JsonObject, JsonValue } from '../../src/engine/json.js'

/** What a mutant changes. */
export const CLASSES = ['status word', 'field', 'signature', 'webhook', 'error', 'operation', 'key'] as const
type Class = (typeof CLASSES)[number]

/** A description of a wire format with one mistake. */
export interface Mutant {
  readonly class: Class
  /** Its number among the mutants of the description. */
  readonly index: number
  /** The place of the mistake, such as `statuses.failed.word`. */
  readonly place: string
  readonly table: DialectTable
}

type Path = readonly (string | number)[]

interface Change {
  readonly class: Class
  readonly path: Path
  /** Whether to rename the field itself, in place of its value. */
  readonly renames: boolean
}

/** All mutants of a description: each has one changed word or one renamed field. */
export function mutantsOf(table: DialectTable): readonly Mutant[] {
  const whole = table as unknown as JsonObject
  const all = [...changesOf(whole, [])].filter(hasEffect(table)).map(
    (change): Omit<Mutant, 'index'> => ({
      class: change.class,
      place: change.path.join('.'),
      table: changed(whole, change.path, change.renames) as unknown as DialectTable,
    }),
  )
  const original = JSON.stringify(table)
  return all
    .filter((mutant) => JSON.stringify(mutant.table) !== original)
    .map((mutant, index) => ({ ...mutant, index }))
}

/**
 * A word of a state has no effect in tasks whose answers contain no such words, and no field has one in tasks that only
 * their files answer.
 */
function hasEffect({ objects, error: _, ...main }: DialectTable): (change: Change) => boolean {
  const showsWords = (part: object | undefined) => JSON.stringify(part ?? {}).includes('{{status}}')
  const isShown = (type: string) =>
    main.operations.some(
      (operation) =>
        operation.object === type && !(operation.action === 'create' && operation.gives === 'file'),
    )
  return ({ class: kind, path: [section, object] }) => {
    if (section === 'objects' && !isShown(String(object))) return false
    return kind !== 'status word' || showsWords(section === 'objects' ? objects?.[String(object)] : main)
  }
}

function* changesOf(value: JsonValue, path: Path): Generator<Change> {
  const found = classOf(path)
  if (found !== undefined) yield { ...found, path }
  if (typeof value !== 'object' || value === null) return
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  for (const key of keys)
    yield* changesOf((value as Record<string | number, JsonValue>)[key] ?? null, [...path, key])
}

/** Which mistake is possible at a place; undefined if none is. */
function classOf(path: Path): Omit<Change, 'path'> | undefined {
  const [section, part, name, ...rest] = path
  // A type of tasks has the fields of the main type.
  if (section === 'objects') return path.length > 2 ? classOf(path.slice(2)) : undefined
  const isField = path.length > 0 && typeof path.at(-1) === 'string' && path.at(-1) !== '...'
  if (section === 'statuses' && (name === 'word' || (name === 'by_error' && rest.length === 1)))
    return { class: 'status word', renames: false }
  if (section === 'statuses' && name === 'fields' && rest.length > 0 && isField)
    return { class: 'field', renames: true }
  if (section === 'task' && path.length > 1 && isField) return { class: 'field', renames: true }
  if (section === 'error' && part === 'body' && path.length > 2 && isField)
    return { class: 'error', renames: true }
  if (section === 'operations' && name === 'answer' && rest.length > 0 && isField)
    return { class: 'field', renames: true }
  if (section === 'operations' && (name === 'path' || name === 'status'))
    return { class: 'operation', renames: false }
  if (section === 'webhook' && part === 'signature' && (path.length === 3 || path.length === 2))
    return { class: 'signature', renames: false }
  if (section === 'webhook' && (part === 'events' || part === 'url') && path.length > 1)
    return { class: 'webhook', renames: false }
  if (section === 'webhook' && (part === 'body' || part === 'headers') && path.length > 2 && isField)
    return { class: 'webhook', renames: true }
  if (section === 'key' && path.length === 2) return { class: 'key', renames: false }
  return undefined
}

function changed(value: JsonValue, [key, ...rest]: Path, renames: boolean): JsonValue {
  if (key === undefined) return mistaken(value)
  if (Array.isArray(value))
    return value.map((inner, index) => (index === key ? changed(inner, rest, renames) : inner))
  const isLast = rest.length === 0
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, inner]) => {
      if (name !== key) return [name, inner]
      return isLast && renames ? [`${name}_x`, inner] : [name, changed(inner, rest, renames)]
    }),
  )
}

/** A value that looks like the right one. */
function mistaken(value: JsonValue): JsonValue {
  if (value === 'hex') return 'base64'
  if (value === 'base64') return 'hex'
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}-x` : value
}
