import { isJsonObject, type JsonValue } from '../../../engine/json.js'

interface Filter {
  /** The names of the arguments, or `many` for one or more names. */
  readonly parameters: readonly string[] | 'many'
  /** @returns undefined if the value does not fit */
  apply(value: JsonValue, args: readonly string[]): JsonValue | undefined
}

/** How much the shape of a size counts, compared with its area. */
const SHAPE_WEIGHT = 10
const PIXELS = /^(\d{3,5})[:x](\d{3,5})$/

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
  /** A size such as `1280:720` as `1280x720`; nothing for another text, such as the ratio `16:9`. */
  pixels: { parameters: [], apply: (value) => PIXELS.exec(String(value))?.slice(1).join('x') },
  /** The nearest of some sizes such as `1280x720`, by their shape first. */
  nearest: { parameters: 'many', apply: (value, sizes) => nearestSize(String(value), sizes) },
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

function nearestSize(size: string, others: readonly string[]): string | undefined {
  const distance = (other: string) => {
    const [width = 0, height = 0, otherWidth = 0, otherHeight = 0] = `${size}x${other}`.split('x').map(Number)
    const shape = Math.abs(Math.log((width * otherHeight) / (height * otherWidth)))
    return SHAPE_WEIGHT * shape + Math.abs(Math.log((width * height) / (otherWidth * otherHeight)))
  }
  return [...others].sort((one, other) => distance(one) - distance(other))[0]
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
