import type { Dialect } from '../dialects/dialect.js'
import type { HeaderSource } from '../engine/requests/headers.js'
import type { ApiRequest } from '../exchange/exchange.js'
import { Problem } from '../exchange/problem.js'
import type { Scenario } from '../scenario/scenario.js'
import { apiKeyFor } from './api-key.js'
import { sentKey } from './request-key.js'

/** A request that arrived at another path than the one it is for, as at a proxy. */
class ForwardedRequest implements ApiRequest {
  readonly path: string
  readonly query: string
  readonly #sent: ApiRequest
  /** The key that the proxy adds. */
  readonly #added: { readonly header: string; readonly value: string } | undefined

  constructor(
    sent: ApiRequest,
    path: string,
    query: string,
    added?: { readonly header: string; readonly value: string },
  ) {
    this.path = path
    this.query = query
    this.#sent = sent
    this.#added = added
  }

  get method(): string {
    return this.#sent.method
  }

  get origin(): string {
    return this.#sent.origin
  }

  get signal(): AbortSignal | undefined {
    return this.#sent.signal
  }

  get hasLeft(): boolean | undefined {
    return this.#sent.hasLeft
  }

  header(name: string): string | undefined {
    return this.#added?.header === name ? this.#added.value : this.#sent.header(name)
  }

  /** As the client sent them, without the key that the proxy adds. */
  headers(): HeaderSource {
    return this.#sent.headers?.() ?? {}
  }

  body(...args: Parameters<ApiRequest['body']>): ReturnType<ApiRequest['body']> {
    return this.#sent.body(...args)
  }

  get read(): ApiRequest['read'] {
    return this.#sent.read?.bind(this.#sent)
  }
}

/**
 * The request for the URL in a header. A request without an API key gets the one that the scenario accepts, because such
 * clients leave it to the proxy.
 * @param header the name of the header
 * @param isForwarded whether requests to a path are forwarded
 * @returns the problem if there is no URL of the service in the header, or if its request would be forwarded again,
 * which might never end
 */
export function forwardedRequest(
  sent: ApiRequest,
  header: string,
  dialect: Dialect,
  scenario: Scenario,
  isForwarded: (path: string) => boolean,
): ApiRequest | Problem {
  const target = sent.header(header.toLowerCase())
  const hosts = dialect.hosts.map(({ origin }) => origin).join(', ')
  if (target === undefined)
    return invalidTarget(
      header,
      `The header \`${header}\` is missing. Send the URL of the service in it`,
      hosts,
    )
  const url = URL.canParse(target) ? new URL(target) : undefined
  const host = dialect.hosts.find(({ origin }) => origin === url?.origin)
  if (url === undefined || host === undefined)
    return invalidTarget(header, `The header \`${header}\` has no URL of the service`, hosts)
  // A slash at the end of a path makes no difference to its route.
  const own = sent.path.replace(/\/$/, '')
  const mount = own.slice(0, own.length - (dialect.forward?.path.length ?? 0))
  const path = mount + host.path + url.pathname
  if (isForwarded(path))
    return invalidTarget(
      header,
      `The header \`${header}\` has a URL whose requests are forwarded, too. Send the URL of an operation in it`,
      hosts,
    )
  return new ForwardedRequest(sent, path, url.search.slice(1), addedKey())

  function addedKey() {
    if (sentKey(sent, dialect.key) !== undefined) return undefined
    const { header: name, scheme } = dialect.key
    const key = apiKeyFor(scenario)
    return { header: name.toLowerCase(), value: scheme === undefined ? key : `${scheme} ${key}` }
  }
}

function invalidTarget(header: string, reason: string, hosts: string): Problem {
  return new Problem('invalid_request', `${reason}, on one of its hosts: ${hosts}.`, { param: header })
}
