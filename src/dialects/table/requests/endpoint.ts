import type { Call } from '../../call.js'
import { parametersIn } from '../../path-tree.js'
import type { DialectHost, DialectTable } from '../dialect-table.generated.js'
import type { ObjectTable } from '../tasks/objects.js'

/** Where an operation is, as far as its answers depend on it. */
export interface Endpoint {
  /** The table of the object that the operation is about. */
  readonly table: ObjectTable
  /** The origins of the service itself. */
  readonly hosts: readonly string[]
  readonly bases: ClientBases
  /** With the prefix. */
  readonly path: string
  /** The starts of the path: the prefix and its aliases, the longest first, because one may be the end of another. */
  readonly starts: readonly PathStart[]
  /** The names of the parameters in the path, in their order. */
  readonly parameters: readonly string[]
  /** The index of the parameter for several segments; -1 if there is none. */
  readonly rest: number
}

/** The strings in the User-Agent of clients that get another base URL, and these URLs. */
type ClientBases = readonly (readonly [agent: string, base: string])[]

/** A start of the path of an operation. */
interface PathStart {
  readonly prefix: string
  /** The number of segments of the path below that of its host; a parameter for several segments counts as one. */
  readonly depth: number
}

/** The path of an operation with the prefix of its service, and its aliases. */
export function pathsOf(
  { prefix = '', aliases = [] }: Pick<DialectTable, 'prefix' | 'aliases'>,
  path: string,
): readonly [path: string, ...aliases: string[]] {
  return [prefix + path, ...aliases.map((start) => start + path)]
}

/** Reads a path such as `/tasks/{task_id}` or `/run/{model...}`, with the prefix. */
export function endpointOf(table: DialectTable, path: string): Endpoint {
  const { hosts = [], base_for: bases = {}, prefix = '', aliases = [] } = table
  const found = parametersIn(path)
  return {
    table,
    hosts: hosts.map(({ origin }) => origin),
    bases: Object.entries(bases),
    path,
    starts: [prefix, ...aliases]
      .sort((one, other) => other.length - one.length)
      .map((start) => ({ prefix: start, depth: depthOf(hosts, start + path.slice(prefix.length)) })),
    parameters: found.map(({ name }) => name),
    rest: found.findIndex(({ isRest }) => isRest),
  }
}

function depthOf(hosts: readonly DialectHost[], path: string): number {
  return path.slice(hostPathOf(hosts, path).length).split('/').length - 1
}

/** The path of the host to which an operation belongs. */
function hostPathOf(hosts: readonly DialectHost[], path: string): string {
  const starts = hosts.map((host) => host.path).filter((start) => path.startsWith(`${start}/`))
  return starts.sort((one, other) => other.length - one.length)[0] ?? ''
}

/** The value of `{{base}}`: {@link calledBaseOf}, unless the client gets another one. */
export function baseOf(call: Call, endpoint: Endpoint): string {
  const own = endpoint.bases.length === 0 ? undefined : baseForClient(call, endpoint.bases)
  return own ?? calledBaseOf(call, endpoint)
}

/**
 * The URL up to the prefix of the service, as the client reached it, such as `http://127.0.0.1:4010/luma`; of a service
 * with several hosts, that of the host. On the hosts of the service itself, it is the origin.
 */
export function calledBaseOf(call: Call, endpoint: Endpoint): string {
  const { sim, request } = call
  const origin = sim.publicOrigin(request.origin)
  return endpoint.hosts.includes(request.origin) ? origin : origin + mountOf(call, endpoint)
}

/** What determines {@link baseOf} besides the origin of the request. */
export function mountForClient(call: Call, endpoint: Endpoint): string {
  return baseForClient(call, endpoint.bases) ?? mountOf(call, endpoint)
}

/** The base URL that a dialect gives to clients like that of a request; undefined if it is the one that they call. */
export function baseForClient({ request }: Call, bases: ClientBases): string | undefined {
  const agent = request.header('user-agent') ?? ''
  return bases.find(([text]) => agent.includes(text))?.[1]
}

/** The path up to the prefix of the service; empty at the root. */
export function mountOf({ request: { path }, params }: Call, { starts, rest }: Endpoint): string {
  const further = rest === -1 ? 0 : (params[rest]?.split('/').length ?? 1) - 1
  for (const { prefix, depth } of starts) {
    const mount = withoutSegments(path, depth + further)
    if (starts.length === 1 || path.startsWith(prefix, mount.length)) return mount
  }
  return ''
}

/** A path without its last segments. */
function withoutSegments(path: string, count: number): string {
  let end = path.endsWith('/') ? path.length - 1 : path.length
  for (let removed = 0; removed < count; removed++) end = path.lastIndexOf('/', end - 1)
  return path.slice(0, Math.max(0, end))
}
