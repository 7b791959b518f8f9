import { CONTROL_ROUTES } from './control/routes.js'
import type { Dialect } from './dialects/dialect.js'
import { tasks } from './dialects/tasks/index.js'
import type { ApiRequest, Reply } from './http/exchange/exchange.js'
import type { Problem } from './http/exchange/problem.js'
import { pathInSandbox } from './http/open-exchange.js'
import type { Route } from './http/operation.js'
import { createPipeline } from './http/pipeline.js'
import { refusal } from './http/refuse.js'
import { rejectionWithId } from './http/rejection-reply.js'
import type { RouteMatch } from './http/router.js'
import { fileRouteOf, Routes, routesOf, UPLOAD_ROUTE } from './http/routes.js'
import { DOCUMENT_ROUTES } from './openapi/routes.js'
import type { Simulator } from './simulator.js'

const OTHER_ROUTES: readonly Route[] = [fileRouteOf(tasks), ...CONTROL_ROUTES, ...DOCUMENT_ROUTES]

/** Every documented operation. Uploads have no document, because only wire formats of other services accept them. */
export const ROUTES: readonly Route[] = [...routesOf(tasks), ...OTHER_ROUTES]

const routes = new Routes(tasks, [...OTHER_ROUTES, UPLOAD_ROUTE])

/** Finds the route of a path, whether or not it names a sandbox. */
export function findRoute(path: string): RouteMatch | undefined {
  return routes.find(pathInSandbox(path).path)
}

/** Answers a request. Every host calls this function; it never rejects. */
export const answer = createPipeline(routes)

/**
 * Rejects a request before it reaches the simulator. The log contains the request; the journal, the metrics and the
 * findings do not.
 * @param begin the reading of the stopwatch when the request arrived
 */
export function refuse(
  sim: Simulator,
  request: Pick<ApiRequest, 'method' | 'path'>,
  problem: Problem,
  begin?: number,
): Reply {
  return refusal(sim, request, problem, dialectOf(request.path), begin)
}

/** Answers a request that failed before it reached the API, without a trace in the log. */
export function failure(sim: Simulator, path: string, problem: Problem): Reply {
  return rejectionWithId(problem, { id: sim.nextRequestId(), sim, dialect: dialectOf(path) })
}

function dialectOf(path: string): Dialect | undefined {
  return routes.dialectOf(path, findRoute(path))
}
