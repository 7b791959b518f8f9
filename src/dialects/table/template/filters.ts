import { isJsonObject, type JsonValue } from '../../../engine/json.js'

interface Filter {
  /** The names of the arguments, or `many` for one or more names. */
  readonly parameters: readonly string[] | 'many'
  /** @returns undefined if the value does not fit */
  apply(value: JsonValue, args: readonly string[]): JsonValue | undefined
}

/** The filters of placeholders. A value that is missing or null stays as it is. */
export const FILTERS = {
  /** An ISO time as whole seconds since 1970. */
  unix: { parameters: [], apply: (time) => number(Math.floor(Date.parse(String(time)) / 1_000)) },
  /** An ISO time without `Z`. */
  no_zone: { parameters: [], apply: (time) => String(time).replace(/Z$/, '') },
  /** A number times another one, with at most 6 decimals. */
  times: {
    parameters: ['factor'],
    apply: (value, [factor]) => number(Math.round(Number(value) * Number(factor) * 1e6) / 1e6),
  },
  /** The nearest whole number. */
  round: { parameters: [], apply: (value) => number(Math.round(Number(value))) },
  /** A text as a number. */
  number: { parameters: [], apply: (value) => number(Number(value)) },
  /** Any value as text. */
  text: { parameters: [], apply: (value) => (typeof value === 'string' ? value : JSON.stringify(value)) },
  /** True if there is a value. */
  is_given: { parameters: [], apply: () => true },
  /** A number, or a limit if it is greater. */
  at_most: {
    parameters: ['limit'],
    apply: (value, [limit]) => number(Math.min(Number(value), Number(limit))),
  },
  /** Another value in place of one, both compared and given as text. */
  map: { parameters: ['from', 'to'], apply: (value, [from, to]) => (String(value) === from ? to : value) },
  /** Nothing in place of an empty list, mapping or text. */
  not_empty: { parameters: [], apply: (value) => (isEmpty(value) ? undefined : value) },
  /** The value of a preference in a header Prefer (RFC 7240); true if it has none. */
  preference: { parameters: ['name'], apply: (header, [name]) => preferenceIn(String(header), name) },
  /** A mapping without some of its fields. */
  without: {
    parameters: 'many',
    apply: (value, names) =>
      isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
        : undefined,
  },
} satisfies Readonly<Record<string, Filter>>

/** The name of a filter. */
export type FilterName = keyof typeof FILTERS

/** Applies a filter to a value that is not missing. */
export function applyFilter(
  name: FilterName,
  value: JsonValue,
  args: readonly string[],
): JsonValue | undefined {
  const filter: Filter = FILTERS[name]
  return filter.apply(value, args)
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

function preferenceIn(header: string, name = ''): string | true | undefined {
  for (const preference of header.split(',')) {
    const [, token = '', value = ''] = /^\s*([^\s=;]+)(?:\s*=\s*"?([^";]*))?/.exec(preference) ?? []
    if (token.toLowerCase() === name.toLowerCase()) return value.trim() || true
  }
  return undefined
}

function number(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
