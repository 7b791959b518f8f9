import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { asText, isJsonObject, type JsonValue } from '../../../engine/json.js'
import { Lazy } from '../../../engine/lazy.js'
import { sha256 } from '../../../engine/sha256.js'

/** An argument of a filter. */
interface Parameter {
  readonly name: string
  /** The form of the argument; any string by default. */
  readonly form?: { readonly pattern: RegExp; readonly text: string }
}

interface Filter {
  readonly parameters: readonly Parameter[]
  /** Whether further arguments of the same form as the last one may follow. */
  readonly takesMore?: boolean
  /** @returns undefined if the value does not fit */
  apply(value: JsonValue, args: readonly string[]): JsonValue | undefined
}

/** How much the shape of a size counts, compared with its area. */
const SHAPE_WEIGHT = 10
/** The forms of arguments. */
const A_NUMBER = { pattern: /^-?(?:\d+\.?\d*|\.\d+)$/, text: 'a number such as 1000 or 0.5' }
const A_SIZE = { pattern: /^\d{3,5}x\d{3,5}$/, text: 'a size such as 1280x720' }
const DATA_URL = /^data:[^,]*;base64,(.*)$/s
const PIXELS = /^(\d{3,5})[:x](\d{3,5})$/

/** The code of the filters that read the inputs of models, which few services need. */
const INPUTS = new Lazy(async () => ({
  ...(await import('./chat-input.js')),
  ...(await import('./interaction-input.js')),
}))

/** Loads the code of all filters, which must be done before a template of a request is filled. */
export async function loadFilters(): Promise<void> {
  await INPUTS.get()
}

/** The filters of placeholders. A value that is missing or null stays as it is. */
export const FILTERS = {
  /** An ISO time as whole seconds since 1970. */
  unix: { parameters: [], apply: (time) => number(Math.floor(Date.parse(String(time)) / 1_000)) },
  /** An ISO time without `Z`. */
  no_zone: { parameters: [], apply: (time) => String(time).replace(/Z$/, '') },
  /** An ISO time with a space in place of `T`, and without `Z`. */
  spaced: { parameters: [], apply: (time) => String(time).replace('T', ' ').replace(/Z$/, '') },
  /** A number times another one, with at most 6 decimals. */
  times: {
    parameters: [{ name: 'factor', form: A_NUMBER }],
    apply: (value, [factor]) => number(Math.round(Number(value) * Number(factor) * 1e6) / 1e6),
  },
  /** A number plus another one. */
  plus: {
    parameters: [{ name: 'number', form: A_NUMBER }],
    apply: (value, [more]) => number(Number(value) + Number(more)),
  },
  /** The nearest whole number. */
  round: { parameters: [], apply: (value) => number(Math.round(Number(value))) },
  /** A text as a number. */
  number: { parameters: [], apply: (value) => number(Number(value)) },
  /** Any value as text. */
  text: { parameters: [], apply: asText },
  /** True if there is a value. */
  is_given: { parameters: [], apply: () => true },
  /** A number, or a limit if it is greater. */
  at_most: {
    parameters: [{ name: 'limit', form: A_NUMBER }],
    apply: (value, [limit]) => number(Math.min(Number(value), Number(limit))),
  },
  /** Another value in place of one, both compared and given as text. */
  map: {
    parameters: [{ name: 'from' }, { name: 'to' }],
    apply: (value, [from, to]) => (String(value) === from ? to : value),
  },
  /** Whether a value, as text, is a text. */
  equals: { parameters: [{ name: 'text' }], apply: (value, [text]) => String(value) === text },
  /** Whether a value, as text, is one of some texts. */
  one_of: {
    parameters: [{ name: 'text' }],
    takesMore: true,
    apply: (value, texts) => texts.includes(String(value)),
  },
  /** Whether a number is less than another one. */
  less_than: {
    parameters: [{ name: 'number', form: A_NUMBER }],
    apply: (value, [limit]) => typeof value === 'number' && value < Number(limit),
  },
  /** Whether a number is greater than another one. */
  more_than: {
    parameters: [{ name: 'number', form: A_NUMBER }],
    apply: (value, [limit]) => typeof value === 'number' && value > Number(limit),
  },
  /** The type of a value: text, number, boolean, list or mapping. */
  type: { parameters: [], apply: typeName },
  /** The path of a URL, without its final slash. */
  url_path: {
    parameters: [],
    apply: (url) =>
      URL.canParse(String(url)) ? new URL(String(url)).pathname.replace(/\/$/, '') : undefined,
  },
  /** What follows the last slash of a string. */
  last_segment: {
    parameters: [],
    apply: (value) => (typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : undefined),
  },
  /** A text without its start. */
  without_prefix: {
    parameters: [{ name: 'prefix' }],
    apply: (value, [prefix = '']) => {
      const text = String(value)
      return text.startsWith(prefix) ? text.slice(prefix.length) : text
    },
  },
  /** A size such as `1280:720` as `1280x720`; nothing for another text, such as the ratio `16:9`. */
  pixels: { parameters: [], apply: (value) => PIXELS.exec(String(value))?.slice(1).join('x') },
  /** The nearest of some sizes such as `1280x720`, by their shape first; nothing for a text that is not a size. */
  nearest: {
    parameters: [{ name: 'size', form: A_SIZE }],
    takesMore: true,
    apply: (value, sizes) =>
      A_SIZE.pattern.test(String(value)) ? nearestSize(String(value), sizes) : undefined,
  },
  /** The SHA-256 of the UTF-8 of a text, in hexadecimal. */
  sha256: { parameters: [], apply: (value) => bytesToHex(sha256(utf8ToBytes(String(value)))) },
  /** Nothing in place of an empty list, mapping or text. */
  not_empty: { parameters: [], apply: (value) => (isEmpty(value) ? undefined : value) },
  /** The mapping in a JSON text. A mapping stays as it is; any other value is none. */
  json: { parameters: [], apply: (value) => (isJsonObject(value) ? value : mappingIn(value)) },
  /** The value of a preference in a header Prefer (RFC 7240); true if it has none. */
  preference: {
    parameters: [{ name: 'name' }],
    apply: (header, [name]) => preferenceIn(String(header), name),
  },
  /** A request in the form of OpenAI's Responses as the input of a language model. */
  chat: { parameters: [], apply: (body) => INPUTS.loaded?.chatInput(body) },
  /** A request in the form of Google's Interactions as the input of a model. */
  interaction: { parameters: [], apply: (body) => INPUTS.loaded?.interactionInput(body) },
  /** The data of a data URL, in base64; nothing for another URL. */
  base64: { parameters: [], apply: (url) => DATA_URL.exec(String(url))?.[1] },
  /** A URL that is not a data URL; nothing for a data URL. */
  not_data: { parameters: [], apply: (url) => (DATA_URL.test(String(url)) ? undefined : url) },
  /** The items of an input in the form of OpenAI's Responses, each with an id that starts with a prefix, the last item first. */
  input_items: {
    parameters: [{ name: 'prefix' }],
    apply: (input, [prefix = '']) => INPUTS.loaded?.inputItems(input, prefix),
  },
  /** A mapping without some of its fields. */
  without: {
    parameters: [{ name: 'field' }],
    takesMore: true,
    apply: (value, names) =>
      isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
        : undefined,
  },
} satisfies Readonly<Record<string, Filter>>

/** The name of a filter. */
export type FilterName = keyof typeof FILTERS

/** The arguments that a filter takes. */
export function parametersOf(name: FilterName): Pick<Filter, 'parameters' | 'takesMore'> {
  return FILTERS[name]
}

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
  if (others.includes(size)) return size
  const distance = (other: string) => {
    const [width = 0, height = 0, otherWidth = 0, otherHeight = 0] = `${size}x${other}`.split('x').map(Number)
    const shape = Math.abs(Math.log((width * otherHeight) / (height * otherWidth)))
    return SHAPE_WEIGHT * shape + Math.abs(Math.log((width * height) / (otherWidth * otherHeight)))
  }
  return [...others].sort((one, other) => distance(one) - distance(other))[0]
}

function typeName(value: JsonValue): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return typeof value === 'object' ? 'mapping' : typeof value
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

function mappingIn(value: JsonValue): JsonValue | undefined {
  try {
    const parsed: unknown = JSON.parse(String(value))
    return isJsonObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
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
