import type { IncomingMessage, ServerResponse } from 'node:http'
// Imported, because the fake timers of a test runner may replace the function of the global object.
import { nextTick } from 'node:process'
import express, { type ErrorRequestHandler, type Express, type NextFunction } from 'express'
import { isPromise } from '../../engine/awaitable.js'
import { checkOptionNames, checkSimulator, type OptionNames } from '../../engine/errors.js'
import { type ApiRequest, bytesOfReply, type Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { answer, failure, hasOperation, refuse } from '../api.js'
import { type AccessDecision, createAccess } from './access.js'
import type { AppOptions, SimulatorApp } from './app-options.js'
import { batched } from './batched.js'
import { dashboard } from './dashboard.js'
import { type Middleware, NodeRequest, type RequestAddress } from './node-request.js'
import { overrides } from './overrides.js'
import { releaseBody } from './request-body.js'
import { sendReply } from './send-reply.js'

const APP_OPTIONS: OptionNames<AppOptions> = {
  overrides: true,
  control: true,
  allowHosts: true,
  cors: true,
}

/**
 * The simulated service as an Express app: use it as a server, or mount it in another app. A mounted app passes paths
 * outside of the API to the next handler.
 * @throws UsageError if an option is unknown, or an origin of `cors` is not a URL
 * @example
 * express().use('/fake-ai', createApp(sim)).listen(3000)
 */
export function createApp(sim: Simulator, options: AppOptions = {}): SimulatorApp {
  checkSimulator('createApp', sim)
  checkOptionNames('createApp', options, APP_OPTIONS)
  return buildApp(sim, options)
}

/** What serves an app: {@link AppOptions}, and how to find the address of a request that its target does not have. */
interface ListenerOptions extends AppOptions {
  /** Without it, requests are for the server itself, which also has the dashboard. */
  readonly addressOf?: (request: IncomingMessage) => RequestAddress
}

/** Builds the Express app. It is not exported, so that no declaration refers to Express's types. */
function buildApp(sim: Simulator, options: ListenerOptions): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const checkAccess = createAccess(sim, options)
  const { addressOf } = options
  const override = options.overrides && overrides(options.overrides, sim)
  const page = dashboard(() => !isMounted(app))
  // A single layer, because every layer of Express slows down every request.
  app.use((request, response, next) => {
    const apiRequest = new NodeRequest(request, response, addressOf?.(request))
    const isInApi = request.baseUrl !== '' || isMounted(app) ? hasOperation(sim, apiRequest.path) : true
    if (isPromise(isInApi)) isInApi.then(handle, next)
    else handle(isInApi)

    function handle(isInApi: boolean): void {
      const serve = () => (isInApi ? respond(sim, apiRequest, request, response, next) : next())
      const serveDashboard = () =>
        addressOf === undefined && mayBeForDashboard(request)
          ? page(request, response, unlessError(next, serve))
          : serve()
      const decision = isInApi ? checkAccess(apiRequest) : undefined
      if (decision !== undefined && applyDecision(decision, sim, apiRequest, response)) return
      if (override === undefined) serveDashboard()
      else override(request, response, unlessError(next, serveDashboard))
    }
  })
  const onError: ErrorRequestHandler = (error, request, response, next) =>
    reportFailure(sim, error, request.path, response, next)
  app.use(onError)
  return app
}

/**
 * Builds the listener of a server that has no other apps: requests to the API, which need nothing of Express, do not pass
 * through it. Their answers are the same, for a fraction of the cost.
 */
export function buildListener(sim: Simulator, options: ListenerOptions): Middleware {
  const app = buildApp(sim, options) as Middleware
  const { addressOf } = options
  if (options.overrides !== undefined) return app
  const checkAccess = createAccess(sim, options)
  return (request, response, next) => {
    if (addressOf === undefined && mayBeForDashboard(request)) return app(request, response, next)
    const apiRequest = new NodeRequest(request, response, addressOf?.(request))
    const decision = checkAccess(apiRequest)
    if (decision !== undefined && applyDecision(decision, sim, apiRequest, response)) return
    respond(sim, apiRequest, request, response, (error) =>
      reportFailure(sim, error, apiRequest.path, response, next),
    )
  }
}

/** Whether a request may be for the dashboard, judging by the start of its URL. */
function mayBeForDashboard({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
  return url === '/' || url.startsWith('/_sim') || url.startsWith('/?')
}

/** Answers a request to the API. @param fail receives an error */
function respond(
  sim: Simulator,
  apiRequest: ApiRequest,
  request: IncomingMessage,
  response: ServerResponse,
  fail: (error: unknown) => void,
): void {
  const send = (reply: Reply) => {
    releaseBody(request)
    const bytes = bytesOfReply(reply)
    if (bytes > 0) countTransfer(sim, response, bytes)
    sendSoon({ response, reply, sim })
  }
  try {
    const reply = answer(sim, apiRequest)
    if (isPromise(reply)) reply.then(send).then(undefined, fail)
    else send(reply)
  } catch (error) {
    fail(error)
  }
}

/** A reply that is ready. */
interface Answered {
  readonly response: ServerResponse
  readonly reply: Reply
  readonly sim: Simulator
}

/** Sends a reply when the present requests are answered, as far as they need not wait. */
const sendSoon = batched<Answered>(nextTick, sendNow)

function sendNow({ sim, response, reply }: Answered): void {
  sendReply(response, reply, (error) => sim.events.emit('error', error))
}

/** Counts a long reply as a transfer until it is sent or the client disconnects. */
function countTransfer({ memory }: Simulator, response: ServerResponse, bytes: number): void {
  // A client that disconnected before the reply was ready emits no further `close`.
  if (response.closed || response.destroyed) return
  memory.transfers.add(bytes)
  response.once('close', () => memory.transfers.add(-bytes))
}

/** Continues unless there is an error, which it passes to Express. */
function unlessError(next: NextFunction, proceed: () => void): NextFunction {
  return (error?: unknown) => (error === undefined ? proceed() : next(error))
}

/** Applies a decision. @returns whether the request is answered */
function applyDecision(
  decision: AccessDecision,
  sim: Simulator,
  request: ApiRequest,
  response: ServerResponse,
): boolean {
  if (decision.problem !== undefined) {
    sendNow({ sim, response, reply: refuse(sim, request, decision.problem) })
    return true
  }
  const { headers, isPreflight } = decision
  if (isPreflight) sendNow({ sim, response, reply: { status: 204, headers, body: undefined } })
  else for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  return isPreflight
}

/** Answers a request that failed before it reached the API, such as in a user's handler. */
function reportFailure(
  sim: Simulator,
  error: unknown,
  path: string,
  response: ServerResponse,
  next: (error: unknown) => void,
): void {
  sim.events.emit('error', error)
  if (response.headersSent) {
    next(error)
    return
  }
  const message = `A handler in front of the API failed: ${error instanceof Error ? error.message : error}`
  sendNow({ sim, response, reply: failure(sim, path, new Problem('internal_error', message)) })
}

/** Express sets `parent` on an app that is mounted in another. */
function isMounted(app: Express): boolean {
  return 'parent' in app
}
