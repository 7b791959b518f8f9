import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Dialect } from '../../../dialects/dialect.js'
import { stopwatch, systemNow } from '../../../engine/clock/system-clock.js'
import type { Reply } from '../../../exchange/exchange.js'
import { Problem } from '../../../exchange/problem.js'
import { sendContinue } from '../../../hosts/express/unfinished-request.js'
import type {
  PassedExchange,
  PassedRequest,
  PassedResponse,
} from '../../../record/recording/passed-exchange.js'
import { replaceWebhooks } from '../webhooks/replace-webhooks.js'
import type { WebhookAddresses } from '../webhooks/webhook-addresses.js'
import type { Admission } from './admission.js'
import { CapturedBody } from './captured-body.js'
import { announcesBody, endToEnd, isJson, joined, type Target, targetOf, without } from './message.js'
import { passAnswer } from './pass-answer.js'
import { replaceUrls } from './replace-urls.js'
import { disconnection, type SentRequest, send, unreachable } from './send.js'
import type { ClientBase, Replacements, Upstream } from './upstream.js'

/** What a proxy needs. */
export interface ProxyOptions {
  readonly dialect: Dialect
  readonly upstream: Upstream
  /** Decides whether a request may pass. */
  readonly check: Admission
  /** The URL of a tunnel to the proxy. */
  readonly publicUrl: string | undefined
  /** The public URLs of receivers; undefined if the service calls the receivers itself. */
  readonly addresses: WebhookAddresses | undefined
  /** Called with each request to the service and its answer, in the order of the ends. */
  readonly onExchange: (passed: PassedExchange) => void
  /** Writes a rejection in the form of the service. */
  readonly reject: (path: string, problem: Problem) => Reply
  /** Reports why a request got no answer. */
  readonly onFailure: (message: string) => void
}

/** Passes requests of clients to the real service, and its answers to the clients. */
export class ServiceProxy {
  readonly #options: ProxyOptions
  /** The URLs of the requests that have not ended. */
  readonly #open = new Set<{ readonly url: string }>()

  constructor(options: ProxyOptions) {
    this.#options = options
  }

  /** Whether a request whose URL contains a string has not ended. */
  hasOpen(text: string): boolean {
    for (const { url } of this.#open) if (url.includes(text)) return true
    return false
  }

  /** Passes a request to the service. */
  async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { dialect, upstream, publicUrl, check } = this.#options
    const target = targetOf(request, publicUrl)
    const problem = check(request, response)
    if (problem !== undefined) return this.#reject(response, target.path, problem)
    const destination = findDestination(target, request, dialect, upstream)
    if (destination instanceof Problem) return this.#reject(response, target.path, destination)
    sendContinue(request)
    const open = { url: destination.url }
    this.#open.add(open)
    try {
      await this.#exchange(request, response, { ...target, ...destination })
    } finally {
      this.#open.delete(open)
    }
  }

  async #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    place: ClientBase & { readonly url: string; readonly path: string },
  ): Promise<void> {
    const { dialect, upstream, onExchange } = this.#options
    const [at, begin] = [systemNow(), stopwatch()]
    const signal = disconnection(response)
    const passing = await passingRequest(request, place.url, {
      replacements: upstream.toService(place),
      without: dialect.forward?.header.toLowerCase(),
    })
    const toClient = upstream.toClient(place)
    const changes = { headers: toClient, body: hasOtherBase(dialect, request) ? [] : toClient }
    const answer = async () => {
      const incoming = await send(this.#toSend(passing), signal)
      return passAnswer(incoming, response, { ...changes, recorded: this.#toReceivers }, begin)
    }
    const passed: PassedResponse | undefined = await answer().catch((error: unknown) => {
      if (signal.aborted) return undefined
      const problem = unreachable(place.url, error)
      this.#options.onFailure(problem.message)
      this.#reject(response, place.path, problem)
      return undefined
    })
    const took = Math.round(stopwatch() - begin)
    onExchange({ at, took, isOwn: false, request: passedRequest(passing), response: passed })
  }

  /** Replaces public URLs in answers by those of the receivers. */
  get #toReceivers() {
    return this.#options.addresses?.toReceivers ?? []
  }

  /** The request with public URLs in place of the receivers. */
  #toSend({ method, url, headers, json, stream }: PassingRequest): SentRequest {
    const { addresses, dialect } = this.#options
    const request = { method, url, headers, body: json }
    const edited = addresses === undefined ? request : replaceWebhooks(request, dialect, addresses)
    if (edited.body === undefined) return { ...edited, body: stream }
    return { ...edited, headers: { ...edited.headers, 'content-length': edited.body.length } }
  }

  #reject(response: ServerResponse, path: string, problem: Problem): void {
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { status, headers, body = '' } = this.#options.reject(path, problem)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }
}

/** Whether the service gives clients of this kind URLs that do not start with the base URL that they call. */
function hasOtherBase({ table }: Dialect, { headers }: IncomingMessage): boolean {
  const agent = headers['user-agent'] ?? ''
  return Object.keys(table?.base_for ?? {}).some((text) => agent.includes(text))
}

function passedRequest({ method, url, headers, captured }: PassingRequest): PassedRequest {
  return { method, url, headers: joined(headers), ...captured.result() }
}

/** Where a request goes. */
interface Destination {
  /** The URL at the service. */
  readonly url: string
  /** The start of the path at the proxy: `/` and the name of the dialect, or nothing at the root. */
  readonly mount: string
}

/** Finds where a request goes: by its path, or by a header if the service's clients send it to a proxy. */
function findDestination(
  { path: given, query }: Target,
  request: IncomingMessage,
  dialect: Dialect,
  upstream: Upstream,
): Destination | Problem {
  const { mount, path } = upstream.split(given)
  const { forward } = dialect
  if (forward !== undefined && path === forward.path) {
    const url = forwardedUrl(request.headers[forward.header.toLowerCase()], upstream)
    return url === undefined ? withoutTarget(forward.header, upstream) : { url, mount }
  }
  const url = upstream.urlOf(path)
  if (url !== undefined) return { url: url + query, mount }
  return new Problem(
    'not_found',
    `No host of the service has the path ${path}. ${dialect.help(mount, `${request.method ?? 'GET'} ${given}`)}`,
  )
}

function forwardedUrl(header: string | string[] | undefined, upstream: Upstream): string | undefined {
  if (typeof header !== 'string' || !URL.canParse(header)) return undefined
  const url = new URL(header)
  const target = upstream.urlFor(url)
  return target && target + url.search
}

function withoutTarget(header: string, { hosts }: Upstream): Problem {
  const origins = hosts.map(({ origin }) => origin).join(', ')
  return new Problem(
    'invalid_request',
    `Expected the header \`${header}\` to be a URL on one of the hosts of the service: ${origins}.`,
    { param: header },
  )
}

/** The longest JSON in which URLs are replaced. Longer JSON passes through unchanged. */
const LONGEST_EDITED = 32 * 1_024 * 1_024

/** A request on its way to the service. */
interface PassingRequest {
  readonly method: string
  readonly url: string
  readonly headers: OutgoingHttpHeaders
  /** The whole body, if it is JSON. */
  readonly json: Buffer | undefined
  /** Any other body. */
  readonly stream: Readable | undefined
  /** The body as far as it has passed through. */
  readonly captured: CapturedBody
}

/**
 * Prepares a request of a client for the service.
 * @param url where it goes
 * @param changes replacements of the addresses of the proxy, which the service does not know; and a header to leave out
 */
async function passingRequest(
  request: IncomingMessage,
  url: string,
  changes: { readonly replacements: Replacements; readonly without: string | undefined },
): Promise<PassingRequest> {
  const { method = 'GET' } = request
  const captured = new CapturedBody()
  // An encoded body could not be edited or recorded.
  const headers = {
    ...without(endToEnd(request), 'host', 'expect', changes.without ?? ''),
    'accept-encoding': 'identity',
  }
  if (!announcesBody(request.headers))
    return { method, url, headers, json: undefined, stream: undefined, captured }
  if (isEditable(request)) {
    const json = replaceUrls(await buffer(request), changes.replacements)
    captured.add(json)
    return { method, url, headers: without(headers, 'content-length'), json, stream: undefined, captured }
  }
  const stream = captured.tee()
  // The end of the client's connection ends the request to the service, too.
  pipeline(request, stream, () => {})
  return { method, url, headers, json: undefined, stream, captured }
}

function isEditable({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length'] ?? Infinity)
  return (
    isJson(headers['content-type']) && length <= LONGEST_EDITED && headers['content-encoding'] === undefined
  )
}
