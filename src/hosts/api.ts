import { CONTROL_ROUTES } from '../control/routes.js'
import { MAIN_DIALECT } from '../dialects/built-in.js'
import type { Dialect } from '../dialects/dialect.js'
import { type Awaitable, after } from '../engine/awaitable.js'
import type { ApiRequest, Reply } from '../exchange/exchange.js'
import type { Problem } from '../exchange/problem.js'
import { openExchange, pathInSandbox } from '../http/open-exchange.js'
import type { Exchange, Route } from '../http/operation.js'
import { createPipeline } from '../http/pipeline.js'
import { refusal, rejectionWithId } from '../http/rejection.js'
import { type RouteMatch, Routes, routesOf, UPLOAD_ROUTE } from '../http/routes.js'
import { DOCUMENT_ROUTES } from '../openapi/routes.js'
import type { Simulator } from '../simulator/simulator.js'

const OTHER_ROUTES: readonly Route[] = [...CONTROL_ROUTES, ...DOCUMENT_ROUTES]

/** Every documented operation. Uploads have no document, because only wire formats of other services accept them. */
export const ROUTES: readonly Route[] = [...routesOf(MAIN_DIALECT), ...OTHER_ROUTES]

const routes = new Routes(MAIN_DIALECT, [...OTHER_ROUTES, UPLOAD_ROUTE])

/** Finds the route of a path of the main dialect or of the control API, whether or not it names a sandbox. */
export function findRoute(path: string): RouteMatch | undefined {
  return routes.findMain(pathInSandbox(path)?.path ?? path)
}

/**
 * Whether a path has an operation, in any dialect of a simulator.
 * @returns a promise only if a dialect must be loaded first
 */
export function hasOperation({ dialects }: Simulator, path: string): Awaitable<boolean> {
  const find = () => routes.find(pathInSandbox(path)?.path ?? path, dialects).match !== undefined
  return after(dialects.loadFor(path), find)
}

/** Finds the operation of a request without carrying it out. The wire formats that its path may belong to are loaded. */
export function exchangeOf(sim: Simulator, request: ApiRequest): Exchange {
  return openExchange(routes, sim, request)
}

/** Answers a request. Every host calls this function. */
export const answer = createPipeline(routes)

/**
 * Rejects a request before it reaches the simulator. The log contains the request; the journal, the metrics and the
 * findings do not.
 */
export function refuse(
  sim: Simulator,
  request: Pick<ApiRequest, 'method' | 'path'>,
  problem: Problem,
): Reply {
  return refusal(sim, request, problem, dialectOf(sim, request.path))
}

/** Answers a request that failed before it reached the API, without a trace in the log. */
export function failure(sim: Simulator, path: string, problem: Problem): Reply {
  return rejectionWithId(problem, { id: sim.requests.nextId(), sim, dialect: dialectOf(sim, path) })
}

function dialectOf({ dialects }: Simulator, path: string): Dialect | undefined {
  return routes.find(path, dialects).dialect
}
