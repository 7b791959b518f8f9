import { CONTROL_ROUTES } from './control/routes.js'
import { pathInSandbox } from './http/open-exchange.js'
import type { Route } from './http/operation.js'
import { createPipeline } from './http/pipeline.js'
import { type RouteMatch, Router } from './http/router.js'
import { SERVICE_ROUTES } from './http/service-routes.js'
import { DOCUMENT_ROUTES } from './openapi/routes.js'

/** Every operation: the one table from which all hosts answer. */
export const ROUTES: readonly Route[] = [...SERVICE_ROUTES, ...CONTROL_ROUTES, ...DOCUMENT_ROUTES]

const router = new Router(ROUTES)

/** Finds the route of a path, whether or not it names a sandbox. */
export function findRoute(path: string): RouteMatch | undefined {
  return router.find(pathInSandbox(path).path)
}

/** Answers a request. Every host calls this function; it never rejects. */
export const answer = createPipeline(router)
