import {
  MaxHeaderSizeExceededError,
  MaxPartsExceededError,
  MultipartParser,
  type MultipartPart,
} from '@remix-run/multipart-parser'
import { parse } from 'content-type'
import type { JsonObject, JsonValue } from '../../engine/json.js'
import { Problem } from '../../exchange/problem.js'
import { measureJson } from '../json-body.js'
import { LARGEST_BODY } from '../read-bytes.js'

/** Each part takes time to parse, and a real form has a few. */
const MAX_PARTS = 100
/** Of the headers of a part, in bytes. */
const LONGEST_HEADERS = 8_192
/** In characters (RFC 2046, section 5.1.1). The search for a longer one could take long. */
const LONGEST_BOUNDARY = 70
/** In bytes. */
const LONGEST_FIELD = 100_000
/** Of a part with JSON. */
const LIMITS = { values: 10_000, depth: 100 }

const decoder = new TextDecoder()

/** A part of a form. */
export interface FormPart {
  readonly name: string
  /** Undefined if the part is a field, not a file. */
  readonly fileName: string | undefined
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The content of a file, as its request describes it. */
export interface SentFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The name of the file; undefined if the request has none. */
  readonly name: string | undefined
  readonly contentType: string | undefined
}

/** The content of a form with a file. */
export interface SentForm {
  readonly file: SentFile
  /** The other fields. A part of the type `application/json` is parsed. */
  readonly fields: JsonObject
}

/** Reads a form (RFC 7578) piece by piece, as it arrives. */
export class FormReader {
  readonly #parser: MultipartParser
  readonly #parts: FormPart[] = []

  /**
   * @param contentType the Content-Type of the request, with the boundary
   * @throws Problem 400 if it has no valid boundary
   */
  constructor(contentType: string) {
    const { boundary = '' } = parse(contentType).parameters
    if (boundary === '' || boundary.length > LONGEST_BOUNDARY)
      throw invalidForm(`the Content-Type has no boundary of 1 to ${LONGEST_BOUNDARY} characters`)
    this.#parser = new MultipartParser(boundary, {
      maxHeaderSize: LONGEST_HEADERS,
      maxParts: MAX_PARTS,
      maxFileSize: LARGEST_BODY,
      maxTotalSize: LARGEST_BODY,
    })
  }

  /** @throws Problem 400 if the bytes so far begin no valid form, 413 if a part is too large or there are too many */
  write(piece: Uint8Array): void {
    try {
      for (const part of this.#parser.write(piece)) this.#parts.push(formPart(part))
    } catch (error) {
      // The parser rejects bytes after the last boundary, which RFC 2046 allows.
      if (!this.#isComplete()) throw problemOf(error)
    }
  }

  /**
   * The parts of the form, after all its bytes have been written.
   * @throws Problem 400 if the form has no end
   */
  end(): readonly FormPart[] {
    if (!this.#isComplete()) throw invalidForm('a part or the final boundary is missing')
    return this.#parts
  }

  #isComplete(): boolean {
    try {
      this.#parser.finish()
      return true
    } catch {
      return false
    }
  }
}

function formPart({ headers, bytes }: MultipartPart): FormPart {
  // A header with parameters has the same form, whatever its name.
  const { name, filename, 'filename*': encoded } = parse(headers['content-disposition'] ?? '').parameters
  if (name === undefined) throw invalidForm('a part has no name')
  return {
    name: unescaped(name),
    fileName: filename === undefined ? encoded && decoded(encoded) : unescaped(filename),
    // The default (RFC 7578, section 4.4).
    contentType: headers['content-type'] ?? 'text/plain',
    bytes: bytes as Uint8Array<ArrayBuffer>,
  }
}

/** Browsers write a quotation mark or a line break in a name as `%22`, `%0D` or `%0A`. */
function unescaped(name: string): string {
  return name.replace(/%(?:22|0[AD])/gi, (code) => decodeURIComponent(code))
}

/** A name such as `utf-8''%C3%A4.png` (RFC 8187), which Python clients write. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replace(/^utf-8'[^']*'/i, ''))
  } catch {
    return name
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof MaxPartsExceededError)
    return new Problem('payload_too_large', `The form has more than ${MAX_PARTS} parts. Send fewer.`)
  if (error instanceof MaxHeaderSizeExceededError) {
    const message = `A part of the form has more than ${LONGEST_HEADERS} bytes of headers. Send shorter ones.`
    return new Problem('payload_too_large', message)
  }
  return invalidForm('a part or the final boundary is missing or malformed')
}

function invalidForm(flaw: string): Problem {
  const message = `The body is not a valid form: ${flaw}. Send multipart/form-data as RFC 7578 describes it.`
  return new Problem('invalid_request', message)
}

/**
 * The file and the fields of a form.
 * @param field the field of the file
 * @throws Problem 400 if the form has no such file, or a field is not valid
 */
export function formWithFile(parts: readonly FormPart[], field: string): SentForm {
  const file = parts.find(({ name }) => name === field)
  if (file?.fileName === undefined) throw missingFile(parts, field)
  const others = parts.filter(({ name }) => name !== field)
  return {
    file: { bytes: file.bytes, name: file.fileName || undefined, contentType: file.contentType },
    fields: Object.fromEntries(others.map((part) => [part.name, fieldValue(part)])),
  }
}

function missingFile(parts: readonly FormPart[], field: string): Problem {
  const names = [...new Set(parts.map(({ name }) => name))]
  const given = names.includes(field) ? 'is a text' : 'is missing'
  const shown = names.slice(0, 10).map((name) => `\`${name.slice(0, 40)}\``)
  const others = names.length === 0 ? 'no fields' : `the fields ${shown.join(', ')}`
  const message = `The field \`${field}\` ${given}: send the file in it, with a filename. The form has ${others}.`
  return new Problem('invalid_request', message, { param: field })
}

/**
 * The text of a field.
 * @throws Problem 400 if it is too long
 */
export function textOf({ name, bytes }: FormPart): string {
  const most = `at most ${LONGEST_FIELD} are possible`
  if (bytes.length > LONGEST_FIELD)
    throw badField(name, `has ${bytes.length} bytes; ${most}. Send a shorter one.`)
  return decoder.decode(bytes)
}

function fieldValue(part: FormPart): JsonValue {
  const text = textOf(part)
  return parse(part.contentType).type === 'application/json' ? json(part, text) : text
}

function json({ name, bytes }: FormPart, text: string): JsonValue {
  const { depth, values } = measureJson(bytes, LIMITS)
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
