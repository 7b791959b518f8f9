import { nearest, suggest } from '../../engine/suggest.js'
import { KIND_NAMES } from '../../kinds/built-in-kinds.js'
import { isMapping } from '../mapping.js'

/** The name of a kind in a scenario, apart from those under `kinds`. */
interface Mention {
  readonly path: readonly PropertyKey[]
  readonly name: string
  /** Whether the name is that of a field, not a value. */
  readonly atKey: boolean
}

/** An unknown kind, as a mistake. */
interface UnknownKind {
  readonly path: readonly PropertyKey[]
  readonly atKey: boolean
  readonly message: string
}

/** Where the value is the name of a kind; `*` stands for any field or index. */
const VALUES = [
  ['models', '*', 'kind'],
  ['rules', '*', 'when', 'kind'],
  ['faults', '*', 'when', 'kind'],
  ['webhooks', 'faults', '*', 'when', 'kind'],
]
/** Where the names of the fields are names of kinds. */
const FIELDS = [
  ['capacity', 'kinds', '*'],
  ['findings', 'thresholds', 'poll_interval', '*'],
]

/** The names of all kinds that a layer knows: the built-in ones, and those that it defines. */
export function kindsKnownTo(layer: unknown): string[] {
  const kinds = isMapping(layer) ? layer['kinds'] : undefined
  return [...new Set([...KIND_NAMES, ...(isMapping(kinds) ? Object.keys(kinds) : [])])]
}

/**
 * Finds the kinds that a layer mentions but that do not exist. A schema cannot find them, because a scenario defines
 * kinds of its own.
 * @param layer a layer, checked or not
 */
export function unknownKinds(layer: unknown, known: readonly string[]): UnknownKind[] {
  return mentionsIn(layer)
    .filter(({ name }) => name !== '' && !known.includes(name))
    .map(({ path, name, atKey }) => ({ path, atKey, message: messageFor(name, atKey, known) }))
}

function messageFor(name: string, atKey: boolean, known: readonly string[]): string {
  const start = atKey ? `unknown field \`${name}\`` : `got ${JSON.stringify(name)}`
  const help = nearest(name, known)
  return `${start}; ${help ?? `${suggest(name, known)}, or define the kind under \`kinds\` with \`like\``}`
}

function mentionsIn(layer: unknown): Mention[] {
  const values = VALUES.flatMap((pattern) => find(layer, pattern)).flatMap(({ path, value }) =>
    typeof value === 'string' ? [{ path, name: value, atKey: false }] : [],
  )
  const fields = FIELDS.flatMap((pattern) => find(layer, pattern)).map(({ path }) => ({
    path,
    name: String(path.at(-1)),
    atKey: true,
  }))
  return [...values, ...fields]
}

interface Found {
  readonly path: readonly PropertyKey[]
  readonly value: unknown
}

/** Finds all values whose path matches a pattern. */
function find(
  value: unknown,
  [step, ...rest]: readonly string[],
  path: readonly PropertyKey[] = [],
): Found[] {
  if (step === undefined) return [{ path, value }]
  return childrenOf(value)
    .filter(([key]) => step === '*' || step === key)
    .flatMap(([key, inner]) => find(inner, rest, [...path, key]))
}

function childrenOf(value: unknown): [PropertyKey, unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  return isMapping(value) ? Object.entries(value) : []
}
