import { type Dialect, keyLocations } from '../../dialects/dialect.js'
import { findOperation } from '../../dialects/reading/find-operation.js'
import { readTask } from '../../dialects/reading/read-task.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { answeredTasks } from '../../engine/tasks/answered-task.js'
import type { PassedExchange, PassedRequest } from '../../record/recording/passed-exchange.js'
import type { PassedFile } from '../../record/recording/redact/redactor.js'
import type { Upstream } from './proxy/upstream.js'
import { jsonOf } from './read-exchange.js'

/** What downloads of output files need. */
export interface OutputDownloadsOptions {
  readonly dialect: Dialect
  readonly upstream: Upstream
  readonly add: (file: PassedFile) => void
  readonly onFailure: (message: string) => void
}

const LONGEST = 64 * 1_024 * 1_024
const TIMEOUT = 120_000
const MOST_REDIRECTS = 5

/** Downloads each output file of the tasks that pass once, one after the other. */
export class OutputDownloads {
  readonly #options: OutputDownloadsOptions
  /** URLs without their query. */
  readonly #known = new Set<string>()
  #last: Promise<void> = Promise.resolve()

  constructor(options: OutputDownloadsOptions) {
    this.#options = options
  }

  /** Sees an answer of the service. */
  exchange({ request, response }: PassedExchange): void {
    const body = response && response.status < 300 ? jsonOf(response) : undefined
    if (body === undefined || !isJsonObject(body)) return
    for (const url of this.#outputsIn(body, request).flatMap(urlsIn)) this.#download(url, request)
  }

  /** Resolves when all files so far are downloaded. */
  settled(): Promise<void> {
    return this.#last
  }

  #outputsIn(body: JsonObject, { method, url }: PassedRequest): (JsonValue | undefined)[] {
    const { dialect } = this.#options
    if (findOperation(dialect, { method, url })?.operation.action === 'result') return [body]
    return answeredTasks(body, dialect.answers).map((shown) => readTask(dialect, shown).output)
  }

  #download(url: string, { headers }: PassedRequest): void {
    const shown = withoutQuery(url)
    if (this.#known.has(shown)) return
    this.#known.add(shown)
    this.#last = this.#last
      .then(() => this.#fetch(url, headers))
      .catch((error: Error) => {
        this.#options.onFailure(`Cannot download ${shown}: ${error.message}`)
      })
  }

  async #fetch(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    const response = await this.#follow(url, headers, AbortSignal.timeout(TIMEOUT))
    if (!response.ok) throw new Error(`the answer is ${response.status}`)
    const bytes = await read(response)
    const contentType = response.headers.get('content-type') ?? 'application/octet-stream'
    this.#options.add({ at: systemNow(), url, contentType, bytes })
  }

  /** Follows redirects itself: only the service may get the API key. */
  async #follow(
    start: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = start
    for (let count = 0; count <= MOST_REDIRECTS; count++) {
      const response = await fetch(url, { headers: this.#keyFor(url, headers), redirect: 'manual', signal })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      url = new URL(location, url).href
    }
    throw new Error(`there are more than ${MOST_REDIRECTS} redirects`)
  }

  #keyFor(url: string, headers: Readonly<Record<string, string>>): Record<string, string> {
    const { upstream, dialect } = this.#options
    const isOfService = upstream.hosts.some(({ base }) => url.startsWith(`${base}/`))
    const names = isOfService ? keyLocations(dialect.key).map(({ header }) => header.toLowerCase()) : []
    return Object.fromEntries(
      names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    )
  }
}

async function read({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > LONGEST) throw new Error(`it has more than ${LONGEST / 1_024 / 1_024} MB`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The URLs in a value. */
function urlsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string')
    return /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(urlsIn)
  return isJsonObject(value ?? null) ? Object.values(value as JsonObject).flatMap(urlsIn) : []
}

function withoutQuery(url: string): string {
  return url.replace(/[?#].*/, '')
}
