import type { JsonValue } from '../../engine/json.js'

/** Code that stands for itself in {@link literal}. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value of a literal: JSON, or code. */
export type Literal = JsonValue | Code | undefined | readonly Literal[] | { readonly [name: string]: Literal }

/** The longest value on one line. */
const WIDTH = 80

/** A value as JavaScript, on one line if it is short. */
export function literal(value: Literal, indent = ''): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((each: Literal) => literal(each, inner))]
    : ['{', '}', members(value as Readonly<Record<string, Literal>>, inner)]
  if (parts.length === 0) return open + close
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function members(value: Readonly<Record<string, Literal>>, indent: string): string[] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => {
      const text = literal(each, indent)
      return text === name ? name : `${nameOf(name)}: ${text}`
    })
}

function nameOf(name: string): string {
  // As a plain name, this one would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

/** A text in single quotation marks; with double ones if it needs escapes. */
export function quote(text: string): string {
  return /^[^'\\\p{Cc}\u2028\u2029\p{Cs}]*$/u.test(text)
    ? `'${text}'`
    : JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`)
}

/** A text as a template literal, which shows its lines. */
export function template(text: string): string {
  return `\`${text.replace(/[`\\]|\$(?=\{)/g, (each) => `\\${each}`).replaceAll('\r', '\\r')}\``
}

/** A text as a comment of lines with at most 100 characters. */
export function comment(text: string, indent = ''): string {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length > 100) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.map((line) => `${indent}// ${line}\n`).join('')
}

/** A number of milliseconds as a duration in text. */
export function durationText(ms: number): string {
  const whole = Math.ceil(ms)
  if (whole % 60_000 === 0 && whole > 0) return `${whole / 60_000}m`
  return whole % 1_000 === 0 ? `${whole / 1_000}s` : `${whole}ms`
}
