import type { Dialect } from '../dialects/dialect.js'
import { partitionNote } from '../engine/partition.js'
import { SANDBOX_KEY_PREFIX } from '../engine/sandboxes.js'
import { type ApiRequest, isOfControl } from '../exchange/exchange.js'
import { Problem, unauthorized } from '../exchange/problem.js'
import type { Simulator } from '../simulator/simulator.js'
import { forwardedRequest } from './forwarded-request.js'
import type { Exchange, Operation } from './operation.js'
import { hasKey, keyIn } from './request-key.js'
import { type RouteMatch, type Routes, UPLOAD_ROUTE } from './routes.js'

const CONTROL_IN_SANDBOX = /^\/_sim\/sandboxes\/([^/]+)(\/.+)$/
const FILE_IN_SANDBOX = /^\/files\/(sb_[\w-]+)(\/.*)$/

/** The simulator that a request is for, or why there is none: the request names a sandbox that does not exist. */
type Target = Simulator | Problem

/** Creates the exchange of a request that has just arrived. */
export function openExchange(routes: Routes, root: Simulator, request: ApiRequest): Exchange {
  const inSandbox = pathInSandbox(request.path)
  const path = inSandbox?.path ?? request.path
  const { match, dialect } = routes.find(path, root.dialects)
  const forward = match?.route.forward
  if (forward !== undefined && dialect !== undefined) {
    const isForwarded = (target: string) => forwardIn(routes, root, target) !== undefined
    const forwarded = forwardedRequest(request, forward, dialect, root.scenario, isForwarded)
    return forwarded instanceof Problem
      ? newExchange(root, request, dialect, match, forwarded)
      : openExchange(routes, root, forwarded)
  }
  const isControl = dialect === undefined
  const name =
    inSandbox?.id ?? (isControl ? request.header('x-sim-sandbox') : sandboxWithoutKey(request, dialect))
  const target =
    name === undefined ? targetOfKey(root, request, dialect, match?.task) : targetNamed(root, name)
  const problem = target instanceof Problem ? target : undefined
  const sim = target instanceof Problem ? root : target
  const isUnknown = isControl && problem !== undefined
  return newExchange(
    sim,
    request,
    uploadDialect(sim, match) ?? dialect,
    isUnknown ? routes.findMain(request.path) : match,
    problem,
  )
}

/** The name of the header with the URL to which requests to a path are forwarded; undefined if they are not forwarded. */
function forwardIn(routes: Routes, { dialects }: Simulator, path: string): string | undefined {
  return routes.find(pathInSandbox(path)?.path ?? path, dialects).match?.route.forward
}

/** The wire format of an upload whose signed URL is requested. The path of such a URL is the same in all formats. */
function uploadDialect(sim: Simulator, match: RouteMatch | undefined): Dialect | undefined {
  if (match?.route !== UPLOAD_ROUTE) return undefined
  return sim.dialects.get(sim.dialectOfUpload(match.params[0] ?? '') ?? '')
}

/**
 * @param dialect the wire format; undefined in the control API
 * @param problem why the request cannot be answered, if its path or a header shows that
 */
export function newExchange(
  sim: Simulator,
  request: ApiRequest,
  dialect: Dialect | undefined,
  match?: RouteMatch,
  problem?: Problem,
): Exchange {
  const { route, params = [] } = match ?? {}
  const exchange: Exchange = {
    id: sim.nextRequestId(),
    at: sim.clock.now(),
    sim,
    request,
    dialect,
    isControl: dialect === undefined,
    key: '',
    route,
    operation: route && operationOf(route.methods, request.method),
    params,
    problem,
    namedTask: match?.task,
    taskId: undefined,
    transfer: undefined,
    discard: undefined,
    json: undefined,
    survey: undefined,
    directive: undefined,
    fault: undefined,
    hasLeft: false,
    isStale: false,
    note: {
      pathForm: match?.form,
      hasAuthorization:
        dialect === undefined ? request.header('authorization') !== undefined : hasKey(request, dialect.key),
      observed: undefined,
      responseBody: undefined,
      cause: undefined,
      headers: undefined,
    },
  }
  const operation = exchange.operation?.instead?.(exchange)
  return operation === undefined ? exchange : { ...exchange, operation }
}

function operationOf(methods: RouteMatch['route']['methods'], method: string): Operation | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, wanted) ? methods[wanted] : undefined
}

/** The id of the sandbox that a path names, and the path in that sandbox; undefined if it names none. */
export function pathInSandbox(path: string): { readonly id: string; readonly path: string } | undefined {
  const isControl = isOfControl(path)
  if (!path.startsWith(isControl ? '/_sim/sandboxes/' : '/files/sb_')) return undefined
  const [, id, rest] = (isControl ? CONTROL_IN_SANDBOX : FILE_IN_SANDBOX).exec(path) ?? []
  return id === undefined ? undefined : { id, path: `${isControl ? '/_sim' : '/files'}${rest}` }
}

/** The sandbox that the query names, as in the URL of a stream, which needs no API key. */
function sandboxWithoutKey(request: ApiRequest, { key }: Dialect): string | undefined {
  if (!request.query.includes('sandbox=') || hasKey(request, key)) return undefined
  return new URLSearchParams(request.query).get('sandbox') ?? undefined
}

/** The sandbox whose API key a request has, or the default simulator. */
function targetOfKey(
  root: Simulator,
  request: ApiRequest,
  dialect: Dialect | undefined,
  task: string | undefined,
): Target {
  const key = dialect && keyIn(request, dialect.key)
  if (task !== undefined && dialect !== undefined && !hasKey(request, dialect.key))
    return sandboxOfTask(root, task) ?? root
  if (dialect === undefined || key === undefined || !key.startsWith(SANDBOX_KEY_PREFIX)) return root
  const sim = root.sandboxes.byKey(key)?.sim
  if (sim !== undefined) return sim
  const message = `This API key belongs to no sandbox, or to one that was deleted.${partitionNote(root)}`
  return unauthorized(message, dialect.key.scheme, 'refused_key')
}

/** The only sandbox with a task, so that its findings contain a request without the API key, which is rejected. */
function sandboxOfTask({ tasks, sandboxes }: Simulator, id: string): Simulator | undefined {
  if (tasks.get(id) !== undefined) return undefined
  const [found, other] = sandboxes.list().filter(({ sim }) => sim.tasks.get(id) !== undefined)
  return other === undefined ? found?.sim : undefined
}

function targetNamed(root: Simulator, id: string): Target {
  const sim = root.sandboxes.get(id)?.sim
  if (sim !== undefined) return sim
  const message = `There is no sandbox ${id.slice(0, 100)}, or it was deleted.${partitionNote(root)}`
  return new Problem('not_found', message)
}
