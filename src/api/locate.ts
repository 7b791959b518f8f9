import { SANDBOX_KEY_PREFIX } from '../core/sandbox/sandboxes.js'
import type { Simulator } from '../simulator.js'
import type { ApiRequest } from './exchange.js'
import { Problem } from './problem.js'
import { findRoute } from './routes.js'

/** Where a request belongs: which simulator, and the path in it. */
export interface Location {
  readonly sim: Simulator
  readonly path: string
}

const IN_SANDBOX = /^\/_sim\/sandboxes\/([^/]+)(\/.+)$/
const FILE_IN_SANDBOX = /^\/files\/(sb_\w+)\//
const SANDBOX_KEY = new RegExp(`^Bearer +(${SANDBOX_KEY_PREFIX}\\S*)`, 'i')

/** Whether a path belongs to the control API. */
export function isOfControl(path: string): boolean {
  return path.startsWith('/_sim/')
}

/**
 * Finds the simulator that a request is for: the sandbox that its path, its X-Sim-Sandbox header or its API key
 * names, or the default one.
 * @throws Problem 404 or 401 where it names a sandbox that there is not
 */
export function locate(sim: Simulator, request: ApiRequest): Location {
  const { path } = request
  if (isOfControl(path)) return ofControl(sim, request)
  const file = FILE_IN_SANDBOX.exec(path)?.[1]
  if (file !== undefined) return { sim: sandbox(sim, file), path }
  const key = SANDBOX_KEY.exec(request.header('authorization') ?? '')?.[1]
  if (key === undefined) return { sim, path }
  const target = sim.sandboxes.byKey(key)?.sim
  if (target !== undefined) return { sim: target, path }
  throw new Problem('unauthorized', 'This API key belongs to no sandbox, or to one that was deleted.', {
    headers: { 'www-authenticate': 'Bearer realm="tasksim"' },
  })
}

/** The route of a path, whichever sandbox it is in. */
export function routeOf(path: string): ReturnType<typeof findRoute> {
  const rest = IN_SANDBOX.exec(path)?.[2]
  return findRoute(rest === undefined ? path : `/_sim${rest}`)
}

function ofControl(sim: Simulator, request: ApiRequest): Location {
  const [, id, rest] = IN_SANDBOX.exec(request.path) ?? []
  if (id !== undefined) return { sim: sandbox(sim, id), path: `/_sim${rest}` }
  const named = request.header('x-sim-sandbox')
  return { sim: named === undefined ? sim : sandbox(sim, named), path: request.path }
}

function sandbox(sim: Simulator, id: string): Simulator {
  const found = sim.sandboxes.get(id)
  if (found !== undefined) return found.sim
  throw new Problem('not_found', `There is no sandbox ${id.slice(0, 100)}, or it was deleted.`)
}
