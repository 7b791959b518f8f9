import * as v from 'valibot'

/** How many levels are searched for a field. */
const MOST_LEVELS = 2

/** The parts of the library's schemas that lead to further ones. */
interface Schema {
  readonly type: string
  readonly entries?: Readonly<Record<string, Schema>>
  readonly wrapped?: Schema
  readonly item?: Schema
  readonly options?: readonly Schema[]
  readonly key?: v.GenericSchema<string, string>
  readonly value?: Schema
}

interface Spot {
  readonly schema: Schema
  /** How a scenario writes the way to it. */
  readonly way: string
}

/**
 * Says where a field belongs that is not known where it stands: below that place, or at the top of the scenario.
 * @param path of the field
 */
export function whereItBelongs(
  name: string,
  path: readonly PropertyKey[],
  root: v.GenericSchema,
): string | undefined {
  const top = unfold(root as unknown as Schema, '')
  const around = path
    .slice(0, -1)
    .reduce((spots: readonly Spot[], step) => spots.flatMap((spot) => childrenAt(spot, step)), top)
  const below = search(
    name,
    around.map(({ schema }) => ({ schema, way: '' })),
  )
  if (below !== undefined) return `it belongs under \`${below}\``
  if (path.length < 2) return undefined
  if (top.some(({ schema }) => hasField(schema, name))) return 'it belongs at the top of the scenario'
  const elsewhere = search(name, top)
  return elsewhere && `it belongs under \`${elsewhere}\``
}

function search(name: string, from: readonly Spot[]): string | undefined {
  let level = from
  for (let count = 0; count < MOST_LEVELS; count++) {
    level = level.flatMap(({ schema: { entries = {} }, way }) =>
      Object.entries(entries).flatMap(([field, inner]) =>
        unfold(inner, way === '' ? field : `${way}.${field}`),
      ),
    )
    const found = level.find(({ schema }) => hasField(schema, name))
    if (found !== undefined) return found.way
  }
  return undefined
}

/** All forms of a value; those of its entries, where it is a list. */
function unfold(schema: Schema, way: string): Spot[] {
  const { type, wrapped, item, options = [] } = schema
  if (wrapped !== undefined) return unfold(wrapped, way)
  if (type === 'union') return options.flatMap((option) => unfold(option, way))
  return item === undefined ? [{ schema, way }] : unfold(item, `${way}[]`)
}

function childrenAt({ schema: { entries = {}, value }, way }: Spot, step: PropertyKey): Spot[] {
  if (typeof step === 'number') return [{ schema: { type: 'object', entries }, way }]
  const child = Object.hasOwn(entries, step) ? entries[String(step)] : value
  return child === undefined ? [] : unfold(child, way)
}

/** Whether a mapping has a field of this name, or takes names of its form, as `percentiles` takes p50. */
function hasField({ entries = {}, key }: Schema, name: string): boolean {
  return Object.hasOwn(entries, name) || (takes(key, name) && !takes(key, 'name'))
}

function takes(key: Schema['key'], name: string): boolean {
  return key !== undefined && v.is(key, name)
}
