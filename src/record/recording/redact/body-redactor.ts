import { bytesToHex } from '@noble/hashes/utils.js'
import { parse } from 'content-type'
import { toBase64 } from '../../../engine/base64.js'
import { asText, isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { MASK } from '../../../engine/secret-patterns.js'
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
    if (fields !== undefined) return { form: this.#form(fields, side) }
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
        const content = contentOf(value)
        if (content === undefined) return value
        const rest = next.next().value ?? content
        if (typeof rest === 'string' && content === value) return this.#plain(rest)
        const redacted = JSON.stringify(json.redact(rest, side))
        return redacted === JSON.stringify(content) ? value : redacted
      })
      return texts.redact(changed, true)
    })
  }

  #plain(text: string): string {
    const { texts, content, salt } = this.#settings
    const redacted = texts.redact(text)
    return content === undefined ? redacted : content.redact(text, 'request', salt)
  }

  #form(fields: readonly RecordedField[], side: Side): RecordedField[] {
    /** The fields of objects with few fields, such as `headers[0][name]`, by the path of the object. */
    const objects = new Map<string, Record<string, string>>()
    for (const field of fields) {
      const path = pathOfField(field.name)
      if (!('text' in field) || path.length < 2) continue
      const place = JSON.stringify(path.slice(0, -1))
      const object = objects.get(place) ?? {}
      if (Object.keys(object).length < MOST_SIBLINGS) object[path.at(-1) ?? ''] = field.text
      objects.set(place, object)
    }
    return fields.map((field) => this.#field(field, side, objects))
  }

  #field(
    field: RecordedField,
    side: Side,
    objects: ReadonlyMap<string, Readonly<Record<string, string>>>,
  ): RecordedField {
    const { json, texts } = this.#settings
    const name = texts.redact(field.name)
    if (!('text' in field)) {
      const file_name = json.redact(field.file_name, side, ['file_name'])
      const type = field.content_type && texts.redact(field.content_type)
      return { ...field, name, file_name: asText(file_name), ...(type && { content_type: type }) }
    }
    // The rules for the field in the object that the form stands for.
    const path = pathOfField(field.name)
    const last = path.at(-1) ?? ''
    const siblings = objects.get(JSON.stringify(path.slice(0, -1)))
    const object = path
      .slice(0, -1)
      .reduceRight<JsonObject>((value, step) => ({ [step]: value }), { ...siblings, [last]: field.text })
    const redacted = json.redact(object, side)
    return { name, text: asText(valueAt(redacted, path)) }
  }

  #file(body: Uint8Array, side: Side): RecordedBody {
    return side === 'answer' && this.#settings.keepsFiles ? { base64: toBase64(body) } : bytesAndHash(body)
  }
}

/** Fields of an object that are read together, such as a name and a value. */
const MOST_SIBLINGS = 8

function valueAt(value: JsonValue, [step, ...rest]: readonly string[]): JsonValue {
  if (step === undefined || !isJsonObject(value)) return value
  return valueAt(value[step] ?? MASK, rest)
}

/** The text of a body; undefined if it is another kind of file. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return body.includes(0) ? undefined : decoder.decode(body)
  } catch {
    return undefined
  }
}

/** The contents of the lines of a stream. */
function contentsOf(text: string): JsonValue[] {
  const contents: JsonValue[] = []
  mapLines(text, (value) => {
    const content = contentOf(value)
    if (content !== undefined) contents.push(content)
    return value
  })
  return contents
}

/** The JSON in a line of a stream, or its text; undefined if it has none, such as a comment or `[DONE]`. */
function contentOf(line: string): JsonValue | undefined {
  if (line === '' || /^(?::|\[\w+\]$)/.test(line)) return undefined
  return (/^\s*[[{"]/.test(line) ? parseShallow(line) : undefined) ?? line
}

/**
 * Reads the fields of a form, with only the hashes of its files.
 * @returns undefined if the body is not a form
 */
function parseForm(body: Uint8Array, contentType: string): RecordedField[] | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return [...new URLSearchParams(new TextDecoder().decode(body))].map(([name, text]) => ({ name, text }))
  const { type, parameters } = parse(contentType)
  const { boundary = '' } = parameters
  return type === 'multipart/form-data' && boundary !== '' ? partsOf(binaryText(body), boundary) : undefined
}

function partsOf(binary: string, boundary: string): RecordedField[] {
  const [, ...parts] = `\r\n${binary}`.split(`\r\n--${boundary}`)
  return parts.flatMap((part): RecordedField[] => {
    const end = part.indexOf('\r\n\r\n')
    if (part.startsWith('--') || end === -1) return []
    const head = utf8(part.slice(0, end))
    const bytes = bytesOf(part.slice(end + 4))
    const [, disposition = ''] = /^content-disposition:\s*(.*?)\s*$/im.exec(head) ?? []
    const { 'name*': encodedName = '', 'filename*': encodedFile, ...given } = parse(disposition).parameters
    const { name = decodedName(encodedName), filename: file_name = encodedFile && decodedName(encodedFile) } =
      given
    const [, content_type] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
    if (file_name === undefined) return [{ name, text: new TextDecoder().decode(bytes) }]
    return [{ name, file_name, ...(content_type && { content_type }), ...bytesAndHash(bytes) }]
  })
}

/** A name such as `utf-8''%C3%A4.png` (RFC 8187). */
function decodedName(name: string): string {
  const text = name.replace(/^utf-8'[^']*'/i, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
