import type { HeaderRecord } from '../../../engine/requests/header-record.js'
import type { ApiRequest } from '../../../http/exchange/exchange.js'
import type { PassedRequest } from '../../../record/recording/passed-exchange.js'

/** A request that passed through the proxy, as one to a simulator. */
export class PassedApiRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly origin: string
  readonly #request: PassedRequest

  /** @param path the path in the routes of the service */
  constructor(request: PassedRequest, path: string) {
    const { origin, search } = new URL(request.url)
    this.method = request.method
    this.path = path
    this.query = search.slice(1)
    this.origin = origin
    this.#request = request
  }

  header(name: string): string | undefined {
    return this.#request.headers[name]
  }

  headers(): HeaderRecord {
    return this.#request.headers
  }

  async body(limit: number): Promise<Uint8Array | undefined> {
    const { body } = this.#request
    return body.length > limit ? undefined : body
  }
}
