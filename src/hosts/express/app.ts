import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express'
import { answer, failure, hasOperation, refuse } from '../../api.js'
import { isPromise } from '../../engine/awaitable.js'
import type { ApiRequest, Reply } from '../../http/exchange/exchange.js'
import { Problem } from '../../http/exchange/problem.js'
import { bytesOfReply } from '../../http/transfer.js'
import type { Simulator } from '../../simulator.js'
import { type Admission, createAccess } from './access/access.js'
import type { AppOptions } from './app-options.js'
import { dashboard, mayBeForDashboard } from './dashboard.js'
import { ExpressRequest } from './express-request.js'
import { overrides } from './overrides.js'
import { releaseBody } from './raw-body.js'
import { sendReply } from './send-reply.js'

/** Builds the Express app. The package does not export it, so that no declaration refers to Express's types. */
export function buildApp(sim: Simulator, options: AppOptions): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const admit = createAccess(sim, options)
  const override = options.overrides && overrides(options.overrides, sim)
  const page = dashboard(() => !isMounted(app))
  // A single layer, because every layer of Express slows down every request.
  app.use((request, response, next) => {
    const apiRequest = new ExpressRequest(request)
    const isMountedApp = request.baseUrl !== '' || isMounted(app)
    const isInApi = isMountedApp ? hasOperation(sim, apiRequest.path) : true
    if (isPromise(isInApi))
      isInApi.then((isInApi) => handle(apiRequest, isInApi, request, response, next), next)
    else handle(apiRequest, isInApi, request, response, next)
  })
  app.use(reportFailure(sim))
  return app

  function handle(
    apiRequest: ExpressRequest,
    isInApi: boolean,
    request: Request,
    response: Response,
    next: NextFunction,
  ): void {
    const serve = () => {
      if (!isInApi) return next()
      answer(sim, apiRequest)
        .then((reply) => {
          releaseBody(request)
          countAnswer(sim, response, reply)
          sendReply(response, reply)
        })
        .catch(next)
    }
    const serveDashboard = () =>
      mayBeForDashboard(request) ? page(request, response, unlessError(next, serve)) : serve()
    const admission = isInApi ? admit(apiRequest) : undefined
    if (admission !== undefined && applyAdmission(admission, sim, apiRequest, response)) return
    if (override === undefined) serveDashboard()
    else override(request, response, unlessError(next, serveDashboard))
  }
}

/** Counts a long reply as a transfer until it is sent or the client disconnects. */
function countAnswer({ memory }: Simulator, response: Response, reply: Reply): void {
  const bytes = bytesOfReply(reply)
  // A client that disconnected before the reply was ready emits no further `close`.
  if (bytes === 0 || response.closed || response.destroyed) return
  memory.transfers.add(bytes)
  response.once('close', () => memory.transfers.add(-bytes))
}

/** Continues unless there is an error, which it passes to Express. */
function unlessError(next: NextFunction, proceed: () => void): NextFunction {
  return (error?: unknown) => (error === undefined ? proceed() : next(error))
}

/** Applies an admission. @returns whether the request is answered */
function applyAdmission(
  admission: Admission,
  sim: Simulator,
  request: ApiRequest,
  response: Response,
): boolean {
  if (admission.problem !== undefined) {
    sendReply(response, refuse(sim, request, admission.problem))
    return true
  }
  const { headers, isPreflight } = admission
  if (isPreflight) sendReply(response, { status: 204, headers, body: undefined })
  else for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  return isPreflight
}

/** Answers a request that failed before it reached the API, such as in a user's handler. */
function reportFailure(sim: Simulator): ErrorRequestHandler {
  return (error, request, response, next) => {
    sim.emit('error', error)
    if (response.headersSent) return next(error)
    const message = `A handler in front of the API failed: ${error instanceof Error ? error.message : error}`
    sendReply(response, failure(sim, request.path, new Problem('internal_error', message)))
  }
}

/** Express sets `parent` on an app that is mounted in another. */
function isMounted(app: Express): boolean {
  return 'parent' in app
}
