import type { JsonObject, JsonValue } from '../../engine/json.js'
import { Problem } from '../exchange/problem.js'
import { measureJson } from '../measure-json.js'
import type { SentFile } from './sent-file.js'

/** Each part takes time to parse, and a real form has a few. */
const MAX_PARTS = 100
/** In bytes. */
const LONGEST_FIELD = 100_000
/** Of a part with JSON. */
const LIMITS = { values: 10_000, depth: 100 }
const LINE_FEED = 0x0a

/** The content of a form. */
export interface SentForm {
  readonly file: SentFile
  /** The other fields. A part of the type `application/json` is parsed. */
  readonly fields: JsonObject
}

/**
 * Reads the body of a form (RFC 7578).
 * @param contentType the Content-Type of the request, with the boundary
 * @param field the field of the file
 * @throws Problem 400 if it is no valid form, or has no file; 413 if it has too many parts
 */
export async function readForm(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  field: string,
): Promise<SentForm> {
  const form = await parseForm(bytes, contentType)
  const file = form.get(field)
  if (file === null || typeof file === 'string') throw missingFile(form, field)
  const others = [...form].filter(([name]) => name !== field)
  const fields = await Promise.all(others.map(async ([name, value]) => [name, await fieldOf(name, value)]))
  return {
    file: {
      bytes: new Uint8Array(await file.arrayBuffer()),
      name: file.name || undefined,
      contentType: file.type || undefined,
    },
    fields: Object.fromEntries(fields),
  }
}

/**
 * Parses the body of a form (RFC 7578).
 * @param contentType the Content-Type of the request, with the boundary
 * @throws Problem 400 if it is no valid form, 413 if it has too many parts
 */
export async function parseForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  checkParts(bytes, contentType)
  return new Response(bytes, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new Problem(
      'invalid_request',
      'The body is not a valid form: a part or the final boundary is missing or malformed. Send multipart/form-data as RFC 7578 describes it.',
    )
  })
}

function missingFile(form: FormData, field: string): Problem {
  const given = form.has(field) ? 'is a text' : 'is missing'
  const names = [...new Set(form.keys())].map((name) => `\`${name.slice(0, 40)}\``)
  const others = names.length === 0 ? 'no fields' : `the fields ${names.slice(0, 10).join(', ')}`
  const message = `The field \`${field}\` ${given}: send the file in it, with a filename. The form has ${others}.`
  return new Problem('invalid_request', message, { param: field })
}

/**
 * Checks the text of a field.
 * @throws Problem 400 if it is too long
 */
export function textOfField(name: string, text: string): string {
  checkLength(name, text.length)
  return text
}

function checkLength(name: string, size: number): void {
  const most = `at most ${LONGEST_FIELD} are possible`
  if (size > LONGEST_FIELD) throw badField(name, `has ${size} bytes; ${most}. Send a shorter one.`)
}

async function fieldOf(name: string, value: File | string): Promise<JsonValue> {
  if (typeof value === 'string') return textOfField(name, value)
  checkLength(name, value.size)
  const text = await value.text()
  return value.type === 'application/json' ? json(name, text) : text
}

function json(name: string, text: string): JsonValue {
  const { depth, values } = measureJson(new TextEncoder().encode(text), LIMITS)
  if (depth > LIMITS.depth || values > LIMITS.values)
    throw badField(name, 'has too many values or levels. Send a smaller one.')
  try {
    return JSON.parse(text)
  } catch {
    throw badField(name, 'is not valid JSON, although its type is application/json. Send JSON or plain text.')
  }
}

function badField(name: string, problem: string): Problem {
  const param = name.slice(0, 40)
  return new Problem('invalid_request', `The field \`${param}\` ${problem}`, { param })
}

/** Rejects a body that would take too long to parse. */
function checkParts(bytes: Uint8Array, contentType: string): void {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const boundary = new TextEncoder().encode(`--${quoted ?? plain ?? ''}`)
  let count = startsWith(bytes, 0, boundary) ? 1 : 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    if (startsWith(bytes, at + 1, boundary)) count += 1
    // The boundary after the last part counts as well.
    if (count <= MAX_PARTS + 1) continue
    throw new Problem('payload_too_large', `The form has more than ${MAX_PARTS} parts. Send fewer.`)
  }
}

function startsWith(bytes: Uint8Array, at: number, prefix: Uint8Array): boolean {
  for (let index = 0; index < prefix.length; index++) if (bytes[at + index] !== prefix[index]) return false
  return true
}
