import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express'
import type { RequestHandler } from 'msw'
import { answer } from '../../api/answer.js'
import { type ControlPolicy, LOOPBACK_HOSTS } from '../../api/control/access.js'
import { routeOf } from '../../api/locate.js'
import { Problem } from '../../api/problem.js'
import { rejection } from '../../api/reply.js'
import type { Simulator } from '../../simulator.js'
import { dashboard, mayBeForDashboard } from './dashboard.js'
import { ExpressRequest } from './express-request.js'
import { overrides } from './overrides.js'
import { sendReply } from './send-reply.js'

/** What stands in front of the service in an app. */
export interface AppOptions {
  /** MSW handlers that answer before the simulator does; what they pass through reaches it unharmed. */
  readonly overrides?: readonly RequestHandler[]
  /** Who may use the control API; whoever reaches it by a name of this machine, unless given. */
  readonly control?: ControlPolicy
}

/**
 * The simulated service as an Express app: to listen with, or to mount in one's own app, where a path that is
 * not the service's goes on to what is mounted behind it.
 * @example
 * express().use('/fake-ai', createApp(sim)).listen(3000)
 */
export function createApp(sim: Simulator, options: AppOptions = {}): Express {
  const { control = { hosts: LOOPBACK_HOSTS } } = options
  const app = express().disable('x-powered-by').disable('etag')
  if (options.overrides !== undefined) app.use(overrides(options.overrides, sim))
  const page = dashboard(() => !isMounted(app))
  const api = (request: Request, response: Response, next: NextFunction): void => {
    const apiRequest = new ExpressRequest(request)
    const isOneOfMany = request.baseUrl !== '' || isMounted(app)
    if (isOneOfMany && routeOf(apiRequest.path) === undefined) {
      next()
      return
    }
    answer(sim, apiRequest, control)
      .then((reply) => sendReply(response, reply))
      .catch(next)
  }
  // One layer for both, for each that Express goes through costs every request.
  app.use((request, response, next) => {
    const goOn = (error?: unknown) => (error === undefined ? api(request, response, next) : next(error))
    if (mayBeForDashboard(request)) page(request, response, goOn)
    else api(request, response, next)
  })
  app.use(reportFailure(sim))
  return app
}

/** Answers for what failed in front of the API, such as a handler of the user's that throws. */
function reportFailure(sim: Simulator): ErrorRequestHandler {
  return (error, _request, response, next) => {
    sim.emit('error', error)
    if (response.headersSent) return next(error)
    const message = `A handler in front of the API failed: ${error instanceof Error ? error.message : error}`
    sendReply(
      response,
      rejection(new Problem('internal_error', message), sim.nextRequestId(), sim.scenario.api.errors),
    )
  }
}

/** Express sets `parent` on an app that is mounted in another. */
function isMounted(app: Express): boolean {
  return 'parent' in app
}
