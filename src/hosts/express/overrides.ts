import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type {
  RequestHandler as ExpressHandler,
  Request as ExpressRequest,
  Response as ExpressResponse,
  NextFunction,
} from 'express'
import type { RequestHandler } from 'msw'
import { stopwatch, systemNow } from '../../engine/clock/system-clock.js'
import { onMissingPackage } from '../../engine/errors.js'
import { Problem } from '../../exchange/problem.js'
import { LARGEST_BODY } from '../../http/read-bytes.js'
import { Transfer } from '../../http/transfer.js'
import type { Simulator } from '../../simulator/simulator.js'
import { refuse } from '../api.js'
import type { OverrideHandler } from './app-options.js'
import { NodeRequest, originOf } from './node-request.js'
import { asError, OverrideResponse } from './override-response.js'
import { rawBody } from './request-body.js'
import { sendReply } from './send-reply.js'

/**
 * Runs MSW handlers before the simulator, through `@mswjs/http-middleware`. Imports of the packages start at once, and
 * requests wait for them.
 *
 * The middleware gets wrappers of Node's request and response. Otherwise it would consume the body that the API needs
 * later, and serialize a parsed body again. It gets a single handler that calls the user's handlers. Otherwise it would
 * end the process if a handler returned `Response.error()`, a consumed Response or any other value.
 */
export function overrides(handlers: readonly OverrideHandler[], sim: Simulator): ExpressHandler {
  const loading = load(handlers)
  loading.catch(() => {})
  return (request, response, next) => {
    run(request, response, next).catch((error: unknown) => {
      if (error instanceof Problem)
        sendReply(response, refuse(sim, new NodeRequest(request, response), error), (failure) =>
          sim.events.emit('error', failure),
        )
      else next(asError(error))
    })
  }

  async function run(request: ExpressRequest, response: ExpressResponse, next: NextFunction): Promise<void> {
    const transfer = new Transfer(sim.memory)
    const release = () => transfer.release()
    response.once('close', release)
    const body = await rawBody(request, LARGEST_BODY, (bytes) => transfer.add(bytes), release)
    // Handlers do not see a larger body; the API rejects it anyway.
    if (body === undefined || !canBeFetched(request)) return next()
    const middleware = await loading
    const begin = stopwatch()
    const [at, realAt] = [sim.clock.now(), systemNow()]
    const answered = new OverrideResponse(response)
    answered.once('error', next)
    answered.once('finish', () =>
      sim.events.emit('request.answered', {
        id: sim.requests.nextId(),
        at,
        realAt,
        answeredAt: sim.clock.now(),
        method: request.method,
        path: request.path,
        query: '',
        operation: undefined,
        status: answered.statusCode,
        delivered: true,
        retryAfter: undefined,
        key: '',
        taskId: undefined,
        fault: undefined,
        took: stopwatch() - begin,
        note: {},
      }),
    )
    await middleware(requestView(request, body) as never, answered as never, (error?: unknown) =>
      error === undefined ? next() : next(asError(error)),
    )
  }
}

async function load(handlers: readonly OverrideHandler[]) {
  const { msw, middleware } = await loadMsw('The option `overrides`')
  const getAnswer = async (request: Request) => {
    const { origin } = new URL(request.url)
    return checked(
      await msw.getResponse(handlers as RequestHandler[], request, { baseUrl: origin }).catch(thrown),
    )
  }
  if (middleware === undefined) return withoutMiddleware(getAnswer)
  // The types of the package refer to msw's CommonJS types, which differ from its ESM types.
  return middleware.createMiddleware(msw.http.all('*', ({ request }) => getAnswer(request)) as never)
}

function checked(answer: unknown): Response | undefined {
  if (answer === undefined) return undefined
  if (!(answer instanceof Response)) throw new TypeError('it answered with a value that is not a Response')
  if (answer.bodyUsed || answer.body?.locked) {
    throw new TypeError(
      'it answered with a Response that was already used; create a new one for every request',
    )
  }
  // A handler may have overwritten properties, so the platform checks them. Response.error() has the status 0.
  if (answer.status !== 0) new Response(null, answer)
  return answer
}

/** A handler may throw its answer instead of returning it. */
function thrown(error: unknown): Response {
  if (error instanceof Response) return error
  throw asError(error)
}

/** Whether the platform can create a Request from it and MSW can decode its path. Otherwise no handler can match. */
function canBeFetched(request: ExpressRequest): boolean {
  try {
    const url = new URL(request.url, originOf(request, request.headers.host))
    decodeURIComponent(url.pathname)
    new Request(url, { method: request.method })
    return true
  } catch {
    return false
  }
}

/** The parts of a request that the middleware reads. Without a content type, it passes the body on unchanged. */
function requestView(request: ExpressRequest, body: Uint8Array) {
  const { method, url, headers, protocol } = request
  const [, host] = originOf(request, request.headers.host).split('://')
  return { method, url, headers, protocol, body, readable: false, get: () => host, header: () => undefined }
}

/** The packages that run the user's MSW handlers; both are optional peers of tasksim. */
const PACKAGES = ['msw', '@mswjs/http-middleware'] as const

/**
 * Imports the packages that run MSW handlers.
 * @param feature the feature that needs them, for the error
 * @throws UsageError with the command that installs the missing packages
 */
export async function loadMsw(feature: string) {
  const msw = await import('msw').catch(onMissingPackage(feature, ...PACKAGES))
  // MSW 3 no longer has the function that the middleware calls.
  if (!('handleRequest' in msw)) return { msw, middleware: undefined }
  const middleware = await import('@mswjs/http-middleware').catch(onMissingPackage(feature, ...PACKAGES))
  return { msw, middleware }
}

/** Replaces `@mswjs/http-middleware` for MSW 3: calls handlers, and writes their answers. */
function withoutMiddleware(ask: (request: Request) => Promise<Response | undefined>) {
  return async (
    given: ReturnType<typeof requestView>,
    answered: OverrideResponse,
    next: NextFunction,
  ): Promise<void> => {
    const answer = await ask(requestOf(given))
    if (answer === undefined || isPassthrough(answer)) return next()
    answered.statusCode = answer.status
    answered.statusMessage = answer.statusText
    answer.headers.forEach((value, name) => {
      answered.appendHeader(name, value)
    })
    if (answer.body === null) answered.end()
    else Readable.fromWeb(answer.body as ReadableStream).pipe(answered)
  }
}

function requestOf({
  method,
  url,
  headers,
  protocol,
  body,
  ...given
}: ReturnType<typeof requestView>): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Request(new URL(url, `${protocol}://${given.get()}`), {
    method,
    headers: fields,
    ...(method !== 'GET' && method !== 'HEAD' && { body: Uint8Array.from(body) }),
  })
}

/** Whether a response is the result of `passthrough()`, which all versions of MSW mark in this way. */
function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}
