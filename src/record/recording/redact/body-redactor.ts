import { bytesToHex } from '@noble/hashes/utils.js'
import { toBase64 } from '../../../engine/base64.js'
import type { JsonObject, JsonValue } from '../../../engine/json.js'
import { sha256 } from '../../../engine/sha256.js'
import { pathOfField } from '../../../exchange/form-object.js'
import type { LongBody } from '../passed-exchange.js'
import type { RecordedBody, RecordedField } from '../recording.js'
import { parseShallow } from '../shallow-json.js'
import type { ContentFields, Side } from './content-fields.js'
import type { JsonRedactor } from './json-redactor.js'
import { atEvents, mapLines, type Piece, withoutSplitSecrets } from './streams.js'
import type { TextRedactor } from './text-redactor.js'

/** A body as it passed through. */
interface PassedBody {
  readonly body: Uint8Array
  readonly longBody?: LongBody | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** What the redaction of bodies depends on. */
interface BodySettings {
  /** The salt of the recording. */
  readonly salt: string
  readonly texts: TextRedactor
  readonly json: JsonRedactor
  /** Which texts are inputs and outputs; undefined if these are kept. */
  readonly content: ContentFields | undefined
  /** Whether answers that are files are kept. */
  readonly keepsFiles: boolean
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const EVENTS = /^text\/event-stream/i
const JSON_LINES = /ndjson|jsonl|json-seq/i

/** Makes recorded bodies, without what must not be written. */
export class BodyRedactor {
  readonly #settings: BodySettings

  constructor(settings: BodySettings) {
    this.#settings = settings
  }

  /** Makes a recorded body; undefined if it is empty. */
  body({ body, longBody, headers }: PassedBody, side: Side): RecordedBody | undefined {
    if (longBody !== undefined) return { bytes: longBody.bytes, sha256: longBody.sha256 }
    if (body.length === 0) return undefined
    const type = headers['content-type'] ?? ''
    const fields = parseForm(body, type)
    if (fields !== undefined) return { form: fields.map((field) => this.#field(field, side)) }
    const text = textOf(body)
    if (text === undefined) return this.#file(body, side)
    const json = parseShallow(text)
    if (json !== undefined) return { json: this.#settings.json.redact(json, side) }
    if (EVENTS.test(type) || JSON_LINES.test(type)) return { text: this.#lines([text], side).join('') }
    return { text: this.#plain(text) }
  }

  /** Removes secrets from an output file that is a text, such as JSON. */
  file(bytes: Uint8Array): Uint8Array {
    const text = textOf(bytes)
    return text === undefined ? bytes : encoder.encode(this.#settings.texts.redact(text))
  }

  /** Makes the pieces of a stream, each of which ends with an event or a line. */
  pieces(pieces: readonly Piece[], side: Side): Piece[] {
    const whole = atEvents(pieces)
    const texts = this.#lines(
      whole.map(([, text]) => text),
      side,
    )
    return whole.map(([after], index) => [after, texts[index] ?? ''])
  }

  /** The lines of a stream, in pieces. */
  #lines(pieces: readonly string[], side: Side): string[] {
    const { json, texts } = this.#settings
    const contents = pieces.flatMap(contentsOf)
    const next = withoutSplitSecrets(contents, (joined) => texts.findSecrets(joined)).values()
    return pieces.map((piece) => {
      const changed = mapLines(piece, (value) => {
        const content = parsedObject(value)
        if (content === undefined) return this.#line(value)
        const redacted = JSON.stringify(json.redact(next.next().value ?? content, side))
        return redacted === JSON.stringify(content) ? value : redacted
      })
      return texts.redact(changed, true)
    })
  }

  /** A line of a stream that is not JSON, such as a comment or `[DONE]`. */
  #line(value: string): string {
    return value === '' || /^(?::|\[\w+\]$)/.test(value) ? value : this.#plain(value)
  }

  #plain(text: string): string {
    const { texts, content, salt } = this.#settings
    const redacted = texts.redact(text)
    return content === undefined ? redacted : content.redact(text, 'request', salt)
  }

  #field(field: RecordedField, side: Side): RecordedField {
    const { json, texts } = this.#settings
    const name = texts.redact(field.name)
    if (!('text' in field)) {
      const file_name = json.redact(field.file_name, side, ['file_name'])
      return { ...field, name, file_name: asText(file_name) }
    }
    // The rules for the field in the object that the form stands for.
    const [top = '', ...rest] = pathOfField(field.name)
    const object = rest.reduceRight<JsonValue>((value, step) => ({ [step]: value }), field.text)
    const redacted = json.redact({ [top]: object } as JsonObject, side)
    return { name, text: asText(innermost(redacted)) }
  }

  #file(body: Uint8Array, side: Side): RecordedBody {
    return side === 'answer' && this.#settings.keepsFiles ? { base64: toBase64(body) } : bytesAndHash(body)
  }
}

function innermost(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  const [inner = ''] = Object.values(value)
  return innermost(inner)
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The text of a body; undefined if it is another kind of file. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return body.includes(0) ? undefined : decoder.decode(body)
  } catch {
    return undefined
  }
}

/** The JSON in the lines of a stream. */
function contentsOf(text: string): JsonValue[] {
  const contents: JsonValue[] = []
  mapLines(text, (value) => {
    const content = parsedObject(value)
    if (content !== undefined) contents.push(content)
    return value
  })
  return contents
}

function parsedObject(text: string): JsonValue | undefined {
  return /^\s*[[{"]/.test(text) ? parseShallow(text) : undefined
}

const BOUNDARY = /^multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i

/**
 * Reads the fields of a form, with only the hashes of its files.
 * @returns undefined if the body is not a form
 */
function parseForm(body: Uint8Array, contentType: string): RecordedField[] | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return [...new URLSearchParams(new TextDecoder().decode(body))].map(([name, text]) => ({ name, text }))
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? []
  const boundary = quoted ?? plain
  return boundary === undefined ? undefined : partsOf(binaryText(body), boundary)
}

function partsOf(binary: string, boundary: string): RecordedField[] {
  const [, ...parts] = `\r\n${binary}`.split(`\r\n--${boundary}`)
  return parts.flatMap((part): RecordedField[] => {
    const end = part.indexOf('\r\n\r\n')
    if (part.startsWith('--') || end === -1) return []
    const head = utf8(part.slice(0, end))
    const bytes = bytesOf(part.slice(end + 4))
    const [, name = ''] = /[;\s]name="([^"]*)"/i.exec(head) ?? []
    const [, file_name] = /[;\s]filename="([^"]*)"/i.exec(head) ?? []
    const [, content_type] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
    if (file_name === undefined) return [{ name, text: new TextDecoder().decode(bytes) }]
    return [{ name, file_name, ...(content_type && { content_type }), ...bytesAndHash(bytes) }]
  })
}

/** The number of bytes, and their SHA-256. */
function bytesAndHash(bytes: Uint8Array): { readonly bytes: number; readonly sha256: string } {
  return { bytes: bytes.length, sha256: bytesToHex(sha256(bytes)) }
}

const STEP = 0x8000

/** A text with one character for each byte. */
function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += STEP)
    text += String.fromCharCode(...bytes.subarray(at, at + STEP))
  return text
}

function bytesOf(binary: string): Uint8Array {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function utf8(binary: string): string {
  return new TextDecoder().decode(bytesOf(binary))
}
