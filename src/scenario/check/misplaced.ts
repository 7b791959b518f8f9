import * as v from 'valibot'

/** The number of levels to search for a field. */
const MAX_LEVELS = 2

/** A Valibot schema, with the properties that lead to nested schemas. */
interface SchemaNode {
  readonly type: string
  readonly entries?: Readonly<Record<string, SchemaNode>>
  readonly wrapped?: SchemaNode
  readonly item?: SchemaNode
  readonly options?: readonly SchemaNode[]
  readonly key?: v.GenericSchema<string, string>
  readonly value?: SchemaNode
}

interface Place {
  readonly schema: SchemaNode
  /** The path in a scenario. */
  readonly path: string
}

/**
 * Finds the place of a misplaced field: below its current place, or elsewhere in the scenario.
 * @param path the current path of the field
 * @param noun what the root describes
 */
export function suggestPlace(
  name: string,
  path: readonly PropertyKey[],
  root: v.GenericSchema,
  noun: string,
): string | undefined {
  const top = unfold(root as unknown as SchemaNode, '')
  const parents = path
    .slice(0, -1)
    .reduce((places: readonly Place[], step) => places.flatMap((place) => childrenAt(place, step)), top)
  const below = search(
    name,
    parents.map(({ schema }) => ({ schema, path: '' })),
  )
  if (below !== undefined) return `it belongs under \`${below}\``
  if (path.length < 2) return undefined
  if (top.some(({ schema }) => hasField(schema, name))) return `it belongs at the top of the ${noun}`
  const elsewhere = search(name, top)
  return elsewhere && `it belongs under \`${elsewhere}\``
}

function search(name: string, from: readonly Place[]): string | undefined {
  let level = from
  for (let count = 0; count < MAX_LEVELS; count++) {
    level = level.flatMap(({ schema: { entries = {} }, path }) =>
      Object.entries(entries).flatMap(([field, inner]) =>
        unfold(inner, path === '' ? field : `${path}.${field}`),
      ),
    )
    const found = level.find(({ schema }) => hasField(schema, name))
    if (found !== undefined) return found.path
  }
  return undefined
}

/** Returns all forms of a value, or of the entries of a list. */
function unfold(schema: SchemaNode, path: string): Place[] {
  const { type, wrapped, item, options = [] } = schema
  if (wrapped !== undefined) return unfold(wrapped, path)
  if (type === 'union') return options.flatMap((option) => unfold(option, path))
  return item === undefined ? [{ schema, path }] : unfold(item, `${path}[]`)
}

function childrenAt({ schema: { entries = {}, value }, path }: Place, step: PropertyKey): Place[] {
  if (typeof step === 'number') return [{ schema: { type: 'object', entries }, path }]
  const child = Object.hasOwn(entries, step) ? entries[String(step)] : value
  return child === undefined ? [] : unfold(child, path)
}

/** Whether a mapping has a field with this name, or accepts names of this form, as `percentiles` accepts p50. */
function hasField({ entries = {}, key }: SchemaNode, name: string): boolean {
  return Object.hasOwn(entries, name) || (accepts(key, name) && !accepts(key, 'name'))
}

function accepts(key: SchemaNode['key'], name: string): boolean {
  return key !== undefined && v.is(key, name)
}
