/** A value in generated code: JSON, with expressions in any place. A field that is undefined is left out. */
export type Written =
  | string
  | number
  | boolean
  | null
  | Expression
  | readonly Written[]
  | { readonly [name: string]: Written | undefined }

/** Code that is not a literal, such as the name of a variable. */
export class Expression {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}

/** How a language writes values. */
export interface Syntax {
  readonly string: (text: string) => string
  /** The name of a field of an object. */
  readonly field: (name: string) => string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  /** The text inside the braces of an object on one line. */
  readonly padding: string
  readonly indent: string
  /** A text that consists of constant parts, with the value of the environment variable `API_KEY` between them. */
  readonly withKey: (parts: readonly string[]) => string
}

/** In characters. A longer object or list gets a line for each of its items. */
const LINE = 88

/**
 * Writes a value in the syntax of a language.
 * @param margin the indentation of the line in which it starts
 * @param column the number of characters before it in the line
 */
export function literal(value: Written, syntax: Syntax, margin = '', column = margin.length): string {
  const line = oneLine(value, syntax)
  const items = itemsOf(value, syntax)
  if (items === undefined || items.length === 0 || column + line.length <= LINE) return line
  const inner = margin + syntax.indent
  const lines = items.map(([name, item]) => {
    const code = literal(item, syntax, inner, inner.length + name.length)
    return `${inner}${withName(name, item, code)},\n`
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('')}${margin}${close}`
}

function oneLine(value: Written, syntax: Syntax): string {
  const items = itemsOf(value, syntax)
  if (items === undefined) return scalar(value, syntax)
  const inner = items.map(([name, item]) => withName(name, item, oneLine(item, syntax))).join(', ')
  if (Array.isArray(value)) return `[${inner}]`
  return inner === '' ? '{}' : `{${syntax.padding}${inner}${syntax.padding}}`
}

/** The items of an object or a list with the code before them; undefined for any other value. */
function itemsOf(value: Written, { field }: Syntax): (readonly [string, Written])[] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof Expression) return undefined
  return Array.isArray(value)
    ? value.map((item) => ['', item] as const)
    : Object.entries(value).flatMap(([name, item]) =>
        item === undefined ? [] : [[`${field(name)}: `, item] as const],
      )
}

/** The code of an item. A field whose value is a variable with its name is only this name. */
function withName(name: string, item: Written, code: string): string {
  return item instanceof Expression && name === `${code}: ` ? code : name + code
}

function scalar(value: Written, { string, words }: Syntax): string {
  if (value instanceof Expression) return value.code
  if (typeof value === 'string') return string(value)
  return typeof value === 'boolean' || value === null
    ? words[`${value}` as keyof typeof words]
    : JSON.stringify(value)
}

/** Stands for the API key if the scenario lists the keys, which are secret. */
const KEY_VARIABLE = '$API_KEY'

/** Writes the headers of a request. The placeholder of the API key becomes the environment variable `API_KEY`. */
export function writtenHeaders(
  headers: Readonly<Record<string, string>>,
  keyHeader: string | undefined,
  syntax: Syntax,
): Record<string, Written> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === keyHeader?.toLowerCase() ? writtenKey(value, syntax) : value,
    ]),
  )
}

/** Writes a text that may contain the placeholder of the API key. */
export function writtenKey(text: string, syntax: Syntax): Written {
  const parts = text.split(KEY_VARIABLE)
  return parts.length === 1 ? text : new Expression(syntax.withKey(parts))
}

const NAME = /^[A-Za-z_$][\w$]*$/

/** The syntax of JavaScript and TypeScript, with single quotes and unquoted names. */
export const JAVASCRIPT: Syntax = {
  string: quoted,
  field(name) {
    // In an object literal, this name would set the prototype.
    if (name === '__proto__') return "['__proto__']"
    return NAME.test(name) ? name : quoted(name)
  },
  words: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  indent: '  ',
  withKey: (parts) =>
    parts.every((part) => part === '')
      ? 'process.env.API_KEY'
      : `\`${parts.map((part) => part.replace(/[\\`$]/g, '\\$&')).join(`\${process.env.API_KEY}`)}\``,
}

/** Writes a value as JavaScript. @param margin the indentation of the line in which it starts */
export function javascript(value: Written, margin = ''): string {
  return literal(value, JAVASCRIPT, margin)
}

/** JSON escapes every character that JavaScript does not allow in a string. */
function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part))}'`
}

/** The syntax of Python. Its strings have the escapes of JSON. */
export const PYTHON: Syntax = {
  string: (text) => JSON.stringify(text),
  field: (name) => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  padding: '',
  indent: '    ',
  withKey: (parts) =>
    parts
      .flatMap((part, index) => [
        ...(index === 0 ? [] : ['os.environ["API_KEY"]']),
        ...(part === '' ? [] : [JSON.stringify(part)]),
      ])
      .join(' + '),
}
