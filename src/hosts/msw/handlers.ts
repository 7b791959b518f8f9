import { type HttpHandler, http } from 'msw'
import type { Dialect } from '../../dialects/dialect.js'
import { servicePath } from '../../dialects/service-path.js'
import { checkOptionNames, checkSimulator, describeValue, UsageError } from '../../engine/errors.js'
import type { HeaderSource } from '../../engine/requests/headers.js'
import type { ApiRequest, Reply, Transmission } from '../../exchange/exchange.js'
import { incompleteBody } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { answer, findRoute, hasOperation } from '../api.js'
import { CopiedBody, sourceOf, wholeSource } from './copied-body.js'
import { failedConnection } from './failed-connection.js'

/** Options of {@link handlers}. */
export interface HandlersOptions {
  /**
   * The base URL of the API in the client under test, such as https://api.example.com/api/v1. Without it, the API
   * answers on every origin, but only at its own paths.
   */
  readonly baseUrl?: string
  /** The dialect to answer in, on the hosts that the service's own clients call. */
  readonly dialect?: string
}

/**
 * The simulated service as MSW request handlers, for `setupServer` in Node and `setupWorker` in a browser.
 *
 * One handler serves all paths, because MSW asks every handler about every request.
 * @throws UsageError if an option is unknown, both options are given, or the dialect is unknown or has no hosts
 * @example
 * const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))
 * @example
 * const server = setupServer(...handlers(sim, { dialect: 'luma' }))
 */
export function handlers(sim: Simulator, options: HandlersOptions = {}): HttpHandler[] {
  checkSimulator('handlers', sim)
  checkOptionNames('handlers', options, { baseUrl: true, dialect: true })
  return [handlerOf(sim, options)]
}

/** Receives a pending reply with its request, and returns the reply. */
type Track = (reply: Promise<Reply>, request: Request) => Promise<Reply>

/** The function of each simulator that tracks its requests. A test may add handlers, such as those of another dialect. */
const trackers = new WeakMap<Simulator, Track>()

/** The handler of all paths. @param track tracks the requests to all handlers of the simulator */
export function handlerOf(sim: Simulator, options: HandlersOptions, track?: Track): HttpHandler {
  const scope = scopeOf(sim, options)
  if (track !== undefined) trackers.set(sim, track)
  return http.all(
    ({ request }) => scope.matches(new URL(request.url)),
    async ({ request }) => {
      const url = new URL(request.url)
      const reply = Promise.resolve(answer(sim, new FetchRequest(request, url, scope.pathOf(url))))
      return toResponse(request, await (trackers.get(sim)?.(reply, request) ?? reply))
    },
  )
}

/** Maps the URLs that the API answers to paths in the table of routes. */
interface UrlScope {
  matches(url: URL): boolean | Promise<boolean>
  pathOf(url: URL): string
}

function scopeOf(sim: Simulator, { baseUrl, dialect }: HandlersOptions): UrlScope {
  if (dialect === undefined) return baseUrl === undefined ? ANY_ORIGIN : below(baseUrl)
  if (baseUrl !== undefined)
    throw new UsageError(
      'Expected `baseUrl` or `dialect`, got both. A dialect answers on the hosts of its service.',
    )
  sim.dialects.checkInProcess(dialect)
  return onHostsOf(dialect, sim)
}

/** The API answers every path below a sandbox. */
const IN_SANDBOX = /^\/_sim\/sandboxes\/[^/]+\/./

const ANY_ORIGIN: UrlScope = {
  matches: ({ pathname }) => findRoute(pathname) !== undefined || IN_SANDBOX.test(pathname),
  pathOf: ({ pathname }) => pathname,
}

const OWN_BASE = '/api/v1'

/** Output URLs and the control API are at the root of the same origin. */
const AT_ROOT = /^\/(?:files\/(?:sb_[\w-]+\/)?(?:task_[A-Za-z0-9]+|uploads)|_sim)\//

function below(baseUrl: string): UrlScope {
  if (!URL.canParse(baseUrl))
    throw new UsageError(`Expected \`baseUrl\` to be a URL, got ${describeValue(baseUrl)}`)
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/+$/, '')
  const isBelow = (path: string) => path === base || path.startsWith(`${base}/`)
  return {
    matches: (url) => url.origin === origin && (AT_ROOT.test(url.pathname) || isBelow(url.pathname)),
    pathOf: ({ pathname: path }) => (AT_ROOT.test(path) ? path : OWN_BASE + path.slice(base.length)),
  }
}

/** The operations of a dialect, on the hosts of its service. Other paths of the hosts do not match. */
function onHostsOf(name: string, sim: Simulator): UrlScope {
  const pathOn = (dialect: Dialect | undefined, { origin, pathname }: URL) => {
    const host = dialect?.hosts.find((each) => each.origin === origin)
    return host && servicePath(name, host, pathname)
  }
  return {
    async matches(url) {
      const path = pathOn(sim.dialects.get(name) ?? (await sim.dialects.load(name)), url)
      return path !== undefined && hasOperation(sim, path)
    },
    pathOf: (url) => pathOn(sim.dialects.get(name), url) ?? url.pathname,
  }
}

/** Adapts a fetch request to {@link ApiRequest}. */
class FetchRequest implements ApiRequest {
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

  get hasLeft(): boolean {
    return this.#request.signal.aborted
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
    const { readStream } = await import('../../http/uploads/read-pieces.js')
    return readStream(this.#request, limit, take)
  }
}

function brokenOff(): never {
  throw incompleteBody()
}

/** Converts a reply to a fetch response, including its faults. */
async function toResponse(request: Request, reply: Reply): Promise<Response> {
  const { status, headers, body, transmission } = reply
  if (transmission !== undefined) return transmitted(request, reply, transmission)
  if (isWithoutBody(request, status)) return new Response(null, { status, headers })
  return new Response(status >= 400 && body !== undefined ? new CopiedBody(wholeSource(body)) : body, {
    status,
    headers,
  })
}

async function transmitted(
  request: Request,
  { status, headers }: Reply,
  transmission: Transmission,
): Promise<Response> {
  // Resolve even after an abort: MSW would log a rejection, and the application gets the same error either way.
  if ('hangs' in transmission) await aborted(request.signal)
  if (!('pieces' in transmission))
    return failedConnection('ends' in transmission ? transmission.ends : 'before')
  const init = { status, headers }
  if (isWithoutBody(request, status)) return new Response(null, init)
  const { pieces, signal = request.signal } = transmission
  return new Response(new CopiedBody(sourceOf(pieces, AbortSignal.any([request.signal, signal]))), init)
}

const STATUSES_WITHOUT_BODY: readonly number[] = [204, 205, 304]

/** The constructor of `Response` rejects any body with these statuses, even an empty one, which a fault may add. */
function isWithoutBody({ method }: Request, status: number): boolean {
  return method === 'HEAD' || STATUSES_WITHOUT_BODY.includes(status)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
