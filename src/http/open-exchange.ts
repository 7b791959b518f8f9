import { SANDBOX_KEY_PREFIX } from '../engine/sandboxes.js'
import type { Simulator } from '../simulator.js'
import { type ApiRequest, isOfControl } from './exchange/exchange.js'
import type { Exchange, Operation } from './operation.js'
import { Problem } from './exchange/problem.js'
import type { RouteMatch, Router } from './router.js'

const CONTROL_IN_SANDBOX = /^\/_sim\/sandboxes\/([^/]+)(\/.+)$/
const FILE_IN_SANDBOX = /^\/files\/(sb_\w+)(\/.*)$/
const SANDBOX_KEY = new RegExp(`^Bearer +(${SANDBOX_KEY_PREFIX}\\S*)`, 'i')

/** The simulator that a request is for, and the path in it. */
interface Target {
  readonly sim: Simulator
  readonly path: string
  /** Why the request cannot be answered: it names a sandbox that does not exist. */
  readonly problem?: Problem | undefined
}

/** Creates the exchange of a request that has just arrived. */
export function openExchange(router: Router, root: Simulator, request: ApiRequest): Exchange {
  const { sim, path, problem } = targetOf(root, request)
  return newExchange(sim, request, router.find(path), problem)
}

/** @param problem why the request cannot be answered, if its path or a header shows that */
export function newExchange(
  sim: Simulator,
  request: ApiRequest,
  match?: RouteMatch,
  problem?: Problem,
): Exchange {
  const { route, params = [] } = match ?? {}
  return {
    id: sim.nextRequestId(),
    at: sim.clock.now(),
    sim,
    request,
    isControl: isOfControl(request.path),
    key: '',
    route,
    operation: route && operationOf(route.methods, request.method),
    params,
    problem,
    namedTask: route?.namesTask && params[0],
    taskId: undefined,
    transfer: undefined,
    json: undefined,
    survey: undefined,
    directive: undefined,
    fault: undefined,
    note: {
      hasAuthorization: request.header('authorization') !== undefined,
      observed: undefined,
      responseBody: undefined,
    },
  }
}

function operationOf(methods: RouteMatch['route']['methods'], method: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, wanted) ? methods[wanted] : undefined
}

/** Splits a path into the id of the sandbox that it names, if any, and the path in that sandbox. */
export function pathInSandbox(path: string): { readonly id?: string | undefined; readonly path: string } {
  const isControl = isOfControl(path)
  const [, id, rest] = (isControl ? CONTROL_IN_SANDBOX : FILE_IN_SANDBOX).exec(path) ?? []
  return id === undefined ? { path } : { id, path: `${isControl ? '/_sim' : '/files'}${rest}` }
}

/**
 * Finds the simulator that a request is for: the sandbox that its path, its X-Sim-Sandbox header or its API key names,
 * or the default one.
 */
function targetOf(root: Simulator, request: ApiRequest): Target {
  const { id, path } = pathInSandbox(request.path)
  if (isOfControl(path)) {
    const name = id ?? request.header('x-sim-sandbox')
    return name === undefined ? { sim: root, path } : targetIn(root, name, path, request.path)
  }
  if (id !== undefined) return targetIn(root, id, path, path)
  const authorization = request.header('authorization')
  const key = authorization === undefined ? undefined : SANDBOX_KEY.exec(authorization)?.[1]
  if (key === undefined) return { sim: root, path }
  const sim = root.sandboxes.byKey(key)?.sim
  return sim === undefined ? { sim: root, path, problem: unknownKey() } : { sim, path }
}

/** @param fallback the path to route by if the sandbox does not exist */
function targetIn(root: Simulator, id: string, path: string, fallback: string): Target {
  const sim = root.sandboxes.get(id)?.sim
  if (sim !== undefined) return { sim, path }
  const message = `There is no sandbox ${id.slice(0, 100)}, or it was deleted.`
  return { sim: root, path: fallback, problem: new Problem('not_found', message) }
}

function unknownKey(): Problem {
  return new Problem('unauthorized', 'This API key belongs to no sandbox, or to one that was deleted.', {
    headers: { 'www-authenticate': 'Bearer realm="tasksim"' },
  })
}
