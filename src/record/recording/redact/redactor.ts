import type { Dialect } from '../../../dialects/dialect.js'
import { toBase64 } from '../../../engine/base64.js'
import { isoTime } from '../../../engine/clock/instants.js'
import type { JsonValue } from '../../../engine/json.js'
import { orderIn } from '../../exchanges/seen-exchange.js'
import type { PassedExchange, PassedRequest, PassedResponse } from '../passed-exchange.js'
import type {
  ExchangeEntry,
  FileEntry,
  RecordedRequest,
  RecordingHeader,
  WebhookEntry,
} from '../recording.js'
import { keyName } from '../redacted-text.js'
import { parseShallow } from '../shallow-json.js'
import { BodyRedactor } from './body-redactor.js'
import { ContentFields, RedactedFields, type Side } from './content-fields.js'
import { keptHeaders, keyOf, secretsIn } from './headers.js'
import { HiddenTexts } from './hidden-texts.js'
import { JsonRedactor } from './json-redactor.js'
import { isIdName } from './secret-names.js'
import { TextRedactor } from './text-redactor.js'

/** What a recording leaves out. */
export type RedactionSettings = Pick<RecordingHeader, 'upstream' | 'salt' | 'redact' | 'bodies'>

/** An output file of a task. */
export interface PassedFile {
  /** When it had arrived, in epoch milliseconds. */
  readonly at: number
  readonly url: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** An exchange can tell secrets after the places where they are; each pass over it finds those of the pass before. */
const MOST_PASSES = 4
/** Of the last models and ids. */
const MOST_MODELS = 500
const MOST_IDS = 50_000
/** Longer texts are not ids. */
const LONGEST_ID = 200

/**
 * Makes the entries of a recording from what passed through a proxy. It writes nothing secret: of the headers only a few
 * that cannot hold secrets; no API keys, cookies and signatures; no values of fields and parameters with the name of a
 * secret; nothing that looks like a key or a token; and none of the values that the user redacts. What was secret once
 * is also masked in all later entries, so one object makes all entries of a run.
 */
export class Redactor {
  readonly #dialect: Dialect
  readonly #salt: string
  readonly #hidden: HiddenTexts
  readonly #texts: TextRedactor
  readonly #json: JsonRedactor
  readonly #bodies: BodyRedactor
  readonly #keeps: (header: string) => boolean
  readonly #wireFormat: string
  readonly #models = new Set<string>()
  /** Texts that look random, but are ids of the service. */
  readonly #ids = new Set<string>()

  /**
   * @param dialect the wire format of the service
   * @param settings the header of the recording
   * @param keepsFiles whether answers that are files are recorded, in place of their hashes
   * @throws UsageError if a redacted field has no form that can be read
   */
  constructor(dialect: Dialect, settings: RedactionSettings, keepsFiles = false) {
    const { salt, upstream, redact = [], bodies } = settings
    this.#dialect = dialect
    this.#salt = salt
    this.#wireFormat = JSON.stringify(dialect.table)
    this.#keeps = keptHeaders(dialect)
    const hidden = new HiddenTexts((text) => this.#isPublic(text))
    const origins = new Set([...upstream, ...dialect.hosts.map(({ origin }) => origin)])
    const content = bodies === false ? new ContentFields(dialect) : undefined
    const texts = new TextRedactor({
      salt,
      origins,
      hidden,
      isId: (text) => this.#ids.has(text),
      isOperation: (segment) => this.#wireFormat.includes(`/${segment}/`),
      learn: (text) => this.#json.learn(text),
    })
    const json = new JsonRedactor({
      salt,
      hidden,
      texts,
      content,
      fields: new RedactedFields(redact),
      onId: (text) => this.#addId(text),
    })
    this.#hidden = hidden
    this.#texts = texts
    this.#json = json
    this.#bodies = new BodyRedactor({ salt, texts, content, json, keepsFiles })
  }

  /** Makes the entry of a request and its answer. */
  exchange(passed: PassedExchange): ExchangeEntry {
    const { at, took, isOwn, request, response } = passed
    const key = keyOf(this.#dialect.key, request)
    if (key !== undefined) this.#hidden.add(key, undefined)
    this.#learn(passed)
    return this.#settled(() => ({
      type: 'exchange',
      at: isoTime(at),
      took,
      ...(key !== undefined && { key: keyName(this.#salt, key) }),
      ...(isOwn && { own: true }),
      request: this.#request(request, 'request'),
      ...(response !== undefined && { response: this.#response(response) }),
    }))
  }

  /** Makes the entry of a webhook, which is a request to the client's receiver. */
  webhook(passed: PassedExchange): WebhookEntry {
    const { at, took, request, response } = passed
    this.#learn(passed)
    return this.#settled(() => ({
      type: 'webhook',
      at: isoTime(at),
      took,
      // It shows a task, as an answer does.
      request: this.#request(request, 'answer'),
      ...(response !== undefined && { response: { status: response.status } }),
    }))
  }

  /** Makes the entry of an output file. */
  file({ at, url, contentType, bytes }: PassedFile): FileEntry {
    const [plain = ''] = url.split(/[?#]/)
    return {
      type: 'file',
      at: isoTime(at),
      url: this.#url(plain),
      content_type: contentType,
      base64: toBase64(this.#bodies.file(bytes)),
    }
  }

  /**
   * Removes from the body of a request what a recording leaves out, so that it can be compared with a recorded one. The
   * texts of redacted values are hidden from then on.
   */
  requestBody(body: JsonValue): JsonValue {
    return this.#settled(() => this.#json.redact(body, 'request'))
  }

  /** A text is not a secret if the wire format or a model has it. */
  #isPublic(text: string): boolean {
    return this.#wireFormat.includes(text) || [...this.#models].some((model) => model.includes(text))
  }

  #learn({ request, response }: PassedExchange): void {
    for (const { headers } of [request, response ?? { headers: {} }])
      for (const secret of secretsIn(headers)) this.#texts.hide(secret)
    const model = this.#modelIn(request)
    if (model !== undefined && model.length <= LONGEST_ID) this.#models.add(model)
    if (this.#models.size > MOST_MODELS) this.#models.delete([...this.#models][0] ?? '')
    for (const segment of request.url.split(/[?#]/, 1)[0]?.split('/') ?? []) this.#addId(segment)
  }

  #addId(text: string): void {
    if (text.length > LONGEST_ID) return
    if (this.#ids.size >= MOST_IDS) this.#ids.clear()
    this.#ids.add(text)
  }

  #modelIn(request: PassedRequest): string | undefined {
    if (request.method === 'GET' || request.body.length === 0) return undefined
    try {
      return orderIn(this.#dialect, request, parseShallow(new TextDecoder().decode(request.body)))?.model
    } catch {
      return undefined
    }
  }

  /** Repeats the redaction until it finds no more secrets. */
  #settled<Entry>(make: () => Entry): Entry {
    let entry: Entry
    let passes = 0
    let known: number
    do {
      known = this.#hidden.size
      entry = make()
      passes += 1
    } while (this.#hidden.size > known && passes < MOST_PASSES)
    return entry
  }

  #request(request: PassedRequest, side: Side): RecordedRequest {
    const { method, url, headers } = request
    const body = this.#bodies.body(request, side)
    return { method, url: this.#url(url), headers: this.#headers(headers), ...(body && { body }) }
  }

  #response(response: PassedResponse): ExchangeEntry['response'] {
    const { status, headers, pieces } = response
    const side = status < 400 ? 'answer' : 'error'
    const kept = { status, headers: this.#headers(headers) }
    if (pieces !== undefined) return { ...kept, pieces: this.#bodies.pieces(pieces, side) }
    const body = this.#bodies.body(response, side)
    return { ...kept, ...(body && { body }) }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const kept = Object.entries(headers).filter(([name]) => this.#keeps(name))
    return Object.fromEntries(kept.map(([name, value]) => [name, this.#texts.redact(value, isIdName(name))]))
  }

  /** A URL without secrets. One whose host is secret gets another. */
  #url(url: string): string {
    const redacted = this.#texts.redact(url)
    return URL.canParse(redacted) ? redacted : 'https://redacted.invalid/'
  }
}
