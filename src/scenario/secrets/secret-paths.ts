import { isMapping } from '../mapping.js'

/** The kind of text at a path that may have a secret. A key pattern with a `*` is not a secret. */
export type SecretKind = 'secret' | 'key pattern' | 'url'

/** Any index of a list. */
const ANY = '*'
/** Any field of a mapping. */
const ANY_NAME = '{name}'

const SECRET_PATHS: readonly (readonly [kind: SecretKind, ...path: string[]])[] = [
  ['secret', 'auth', 'keys', ANY],
  ['secret', 'auth', 'keys', ANY, 'key'],
  ['secret', 'webhooks', 'secret'],
  ['secret', 'webhooks', 'previous_secret'],
  ['secret', 'webhooks', 'receivers', ANY, 'secret'],
  ['secret', 'webhooks', 'receivers', ANY, 'previous_secret'],
  ['secret', 'dialects', ANY_NAME, 'secret'],
  ['secret', 'dialects', ANY_NAME, 'previous_secret'],
  ['url', 'webhooks', 'receivers', ANY],
  ['url', 'webhooks', 'receivers', ANY, 'url'],
  ['url', 'webhooks', 'faults', ANY, 'when', 'receiver'],
  ['key pattern', 'rate_limits', ANY, 'key'],
  ['key pattern', 'rules', ANY, 'when', 'key'],
  ['key pattern', 'faults', ANY, 'when', 'key'],
  ['key pattern', 'webhooks', 'faults', ANY, 'when', 'key'],
]

/** Field names and indexes from the root of a scenario. */
export type Path = readonly (string | number)[]

/**
 * Returns the kind of a path, or undefined if it cannot have a secret.
 * @param isName whether the path ends with the name of the field, not its value
 */
export function kindAt(path: Path, isName: boolean): SecretKind | undefined {
  if (isName)
    return path.length === 3 && path[0] === 'capacity' && path[1] === 'keys' ? 'key pattern' : undefined
  return SECRET_PATHS.find(([, ...pattern]) => matches(pattern, path))?.[0]
}

function matches(pattern: readonly string[], path: Path): boolean {
  return pattern.length === path.length && pattern.every((step, index) => fits(step, path[index]))
}

function fits(step: string, field: string | number | undefined): boolean {
  if (step === ANY) return typeof field === 'number'
  return step === ANY_NAME ? typeof field === 'string' : step === field
}

/** Returns the replacement of a text, which is a value or a field name. */
export type ChangeText = (text: string, kind: SecretKind | undefined, path: Path) => string

/** Copies a scenario or a part of one, and replaces every text. */
export function mapTexts<Value>(value: Value, change: ChangeText, path: Path = []): Value {
  if (typeof value === 'string') return change(value, kindAt(path, false), path) as Value
  if (Array.isArray(value))
    return value.map((item, index) => mapTexts(item, change, [...path, index])) as Value
  if (!isMapping(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const at = [...path, name]
      const kind = kindAt(at, true)
      return [kind === undefined ? name : change(name, kind, at), mapTexts(inner, change, at)]
    }),
  ) as Value
}
