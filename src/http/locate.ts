import { SANDBOX_KEY_PREFIX } from '../engine/sandboxes.js'
import type { Simulator } from '../simulator.js'
import { type ApiRequest, isOfControl } from './exchange.js'
import { Problem } from './problem.js'
import { findRoute } from './routes.js'

/** Where a request belongs: which simulator, and the path in it. */
export interface Location {
  readonly sim: Simulator
  readonly path: string
  /** Why it cannot be answered there: it names a sandbox that there is not. */
  readonly problem?: Problem
}

const IN_SANDBOX = /^\/_sim\/sandboxes\/([^/]+)(\/.+)$/
const FILE_IN_SANDBOX = /^\/files\/(sb_\w+)\//
const SANDBOX_KEY = new RegExp(`^Bearer +(${SANDBOX_KEY_PREFIX}\\S*)`, 'i')

/**
 * Finds the simulator that a request is for: the sandbox that its path, its X-Sim-Sandbox header or its API key
 * names, or the default one, which also gets what names no sandbox that there is, with a problem.
 */
export function locate(sim: Simulator, request: ApiRequest): Location {
  const { path } = request
  if (isOfControl(path)) return ofControl(sim, request)
  const file = FILE_IN_SANDBOX.exec(path)?.[1]
  if (file !== undefined) return within(sim, file, path, path)
  const authorization = request.header('authorization')
  const key = authorization === undefined ? undefined : SANDBOX_KEY.exec(authorization)?.[1]
  if (key === undefined) return { sim, path }
  const target = sim.sandboxes.byKey(key)?.sim
  return target === undefined ? { sim, path, problem: unknownKey() } : { sim: target, path }
}

/** The route of a path, whichever sandbox it is in. */
export function routeOf(path: string): ReturnType<typeof findRoute> {
  const rest = IN_SANDBOX.exec(path)?.[2]
  return findRoute(rest === undefined ? path : `/_sim${rest}`)
}

function ofControl(sim: Simulator, request: ApiRequest): Location {
  const { path } = request
  const [, id, rest] = IN_SANDBOX.exec(path) ?? []
  if (id !== undefined) return within(sim, id, `/_sim${rest}`, path)
  const named = request.header('x-sim-sandbox')
  return named === undefined ? { sim, path } : within(sim, named, path, path)
}

/** @param path in the sandbox @param whole as the client sent it */
function within(sim: Simulator, id: string, path: string, whole: string): Location {
  const found = sim.sandboxes.get(id)?.sim
  if (found !== undefined) return { sim: found, path }
  const message = `There is no sandbox ${id.slice(0, 100)}, or it was deleted.`
  return { sim, path: whole, problem: new Problem('not_found', message) }
}

function unknownKey(): Problem {
  return new Problem('unauthorized', 'This API key belongs to no sandbox, or to one that was deleted.', {
    headers: { 'www-authenticate': 'Bearer realm="tasksim"' },
  })
}
