import type { Dialect, KeyLocation } from '../dialects/dialect.js'
import { endedProblem, shownEnd } from '../dialects/table/ended.js'
import { partitionNote } from '../engine/partition.js'
import { type ApiRequest, isOfControl } from '../exchange/exchange.js'
import { Problem, unauthorized } from '../exchange/problem.js'
import { SANDBOX_KEY_PREFIX } from '../simulator/sandboxes.js'
import type { Simulator } from '../simulator/simulator.js'
import { forwardedRequest } from './forwarded-request.js'
import { type Exchange, isOfService } from './operation.js'
import { sentKey } from './request-key.js'
import { type RouteMatch, type Routes, UPLOAD_ROUTE } from './routes.js'

const CONTROL_IN_SANDBOX = /^\/_sim\/sandboxes\/([^/]+)(\/.+)$/
const FILE_IN_SANDBOX = /^\/files\/(sb_[\w-]+)(\/.*)$/

/** Creates the exchange of a request that has just arrived. */
export function openExchange(routes: Routes, root: Simulator, request: ApiRequest): Exchange {
  const inSandbox = pathInSandbox(request.path)
  const { match, dialect } = routes.find(inSandbox?.path ?? request.path, root.dialects)
  if (dialect === undefined) return openControl(routes, root, request, match, inSandbox?.id)
  if (match?.route.forward !== undefined)
    return openForwarded(routes, root, request, dialect, match, match.route.forward)
  const target = targetOf(root, request, dialect, { sandbox: inSandbox?.id, task: match?.task })
  const [sim, problem] = target instanceof Problem ? [root, target] : [target]
  const format = match?.route === UPLOAD_ROUTE ? uploadDialect(sim, match) : undefined
  return newExchange(sim, request, format ?? dialect, match, problem)
}

function openControl(
  routes: Routes,
  root: Simulator,
  request: ApiRequest,
  match: RouteMatch | undefined,
  sandbox = request.header('x-sim-sandbox'),
): Exchange {
  const target = sandbox === undefined ? root : targetNamed(root, sandbox)
  return target instanceof Problem
    ? newExchange(root, request, undefined, routes.findMain(request.path), target)
    : newExchange(target, request, undefined, match)
}

/** Opens the request for the URL in a header. */
function openForwarded(
  routes: Routes,
  root: Simulator,
  request: ApiRequest,
  dialect: Dialect,
  match: RouteMatch,
  header: string,
): Exchange {
  const isForwarded = (path: string) =>
    routes.find(pathInSandbox(path)?.path ?? path, root.dialects).match?.route.forward !== undefined
  const forwarded = forwardedRequest(request, header, dialect, root.scenario, isForwarded)
  return forwarded instanceof Problem
    ? newExchange(root, request, dialect, match, forwarded)
    : openExchange(routes, root, forwarded)
}

/**
 * Creates the exchange of a request.
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
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const called =
    route !== undefined && Object.hasOwn(route.methods, method) ? route.methods[method] : undefined
  const ended = called !== undefined && 'ended' in called ? called.ended : undefined
  const sent = dialect && sentKey(request, dialect.key)
  // Only the routes of a dialect have operations of a service.
  const exchange = {
    id: sim.requests.nextId(),
    at: sim.clock.now(),
    sim,
    request,
    dialect,
    sentKey: sent,
    key: '',
    route,
    operation: called,
    params,
    problem: problem ?? (ended && endedProblem(ended, sim, `${method} ${request.path}`)),
    namedTask: match?.task,
    taskId: undefined,
    body: { transfer: undefined, json: undefined, draft: undefined, problem: undefined, discard: undefined },
    directive: undefined,
    fault: undefined,
    note: {
      pathForm: match?.form,
      ended: ended && shownEnd(ended),
      hasAuthorization:
        dialect === undefined ? request.header('authorization') !== undefined : sent !== undefined,
      observed: undefined,
      cause: undefined,
    },
  } as Exchange
  if (!isOfService(exchange)) return exchange
  const { instead, taskOf } = exchange.operation
  const operation = instead?.(exchange)
  if (taskOf !== undefined) exchange.namedTask = taskOf(exchange)
  return operation === undefined ? exchange : { ...exchange, operation }
}

/** The id of the sandbox that a path names, and the path in that sandbox; undefined if it names none. */
export function pathInSandbox(path: string): { readonly id: string; readonly path: string } | undefined {
  const isControl = isOfControl(path)
  if (!path.startsWith(isControl ? '/_sim/sandboxes/' : '/files/sb_')) return undefined
  const [, id, rest] = (isControl ? CONTROL_IN_SANDBOX : FILE_IN_SANDBOX).exec(path) ?? []
  return id === undefined ? undefined : { id, path: `${isControl ? '/_sim' : '/files'}${rest}` }
}

/** The simulator that a request is for, or why there is none: the request names a sandbox that does not exist. */
type Target = Simulator | Problem

/** Finds the sandbox of the path, the API key or the query, or else the default simulator. */
function targetOf(
  root: Simulator,
  request: ApiRequest,
  { key: location }: Dialect,
  path: { readonly sandbox: string | undefined; readonly task: string | undefined },
): Target {
  if (path.sandbox !== undefined) return targetNamed(root, path.sandbox)
  const sent = sentKey(request, location)
  if (sent?.key?.startsWith(SANDBOX_KEY_PREFIX))
    return root.sandboxes.byKey(sent.key)?.sim ?? unknownKey(root, location)
  if (sent !== undefined) return root
  // The URL of a stream needs no API key.
  const inQuery = new URLSearchParams(request.query).get('sandbox')
  if (inQuery !== null) return targetNamed(root, inQuery)
  return (path.task === undefined ? undefined : sandboxOfTask(root, path.task)) ?? root
}

function unknownKey(root: Simulator, { scheme }: KeyLocation): Problem {
  const message = `This API key belongs to no sandbox, or to one that was deleted.${partitionNote(root)}`
  return unauthorized(message, scheme, 'refused_key')
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

/** The wire format of an upload whose signed URL is requested. The path of such a URL is the same in all formats. */
function uploadDialect(sim: Simulator, { params }: RouteMatch): Dialect | undefined {
  return sim.dialects.get(sim.dialectOfUpload(params[0] ?? '') ?? '')
}
