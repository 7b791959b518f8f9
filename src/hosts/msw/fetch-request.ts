import type { HeaderSource } from '../../engine/requests/header-record.js'
import type { ApiRequest } from '../../http/exchange/exchange.js'
import { incompleteBody } from '../../http/exchange/problem.js'

/** Adapts a fetch request to {@link ApiRequest}. */
export class FetchRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly origin: string
  readonly #request: Request

  /** @param path the path in the table of routes, if it differs from that of the URL */
  constructor(request: Request, url: URL, path: string = url.pathname) {
    this.method = request.method
    this.path = path
    this.query = url.search.slice(1)
    this.origin = url.origin
    this.#request = request
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  headers(): HeaderSource {
    return this.#request.headers
  }

  async body(limit: number, arrived: (bytes: number) => void): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(await this.#request.arrayBuffer().catch(brokenOff))
    if (bytes.length > limit) return undefined
    arrived(bytes.length)
    return bytes
  }

  async read(limit: number, take: (piece: Uint8Array) => void): Promise<boolean> {
    const { readStream } = await import('../../http/uploads/index.js')
    return readStream(this.#request, limit, take)
  }
}

function brokenOff(): never {
  throw incompleteBody()
}
