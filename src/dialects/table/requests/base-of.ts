import { baseForClient } from '../../base-for-client.js'
import type { Call } from '../../call.js'
import type { OperationPlace } from './operation-place.js'

/** The value of `{{base}}`: {@link calledBaseOf}, unless the client gets another one. */
export function baseOf(call: Call, place: OperationPlace): string {
  return baseForClient(call, place.bases) ?? calledBaseOf(call, place)
}

/**
 * The URL up to the prefix of the service, as the client reached it, such as `http://127.0.0.1:4010/luma`; of a service
 * with several hosts, that of the host. On the hosts of the service itself, it is the origin.
 */
export function calledBaseOf(call: Call, place: OperationPlace): string {
  const { sim, request } = call
  const origin = sim.publicOrigin(request.origin)
  return place.hosts.includes(request.origin) ? origin : origin + mountOf(call, place)
}

/** The path up to the prefix of the service; empty at the root. */
export function mountOf({ request: { path }, params }: Call, { starts, rest }: OperationPlace): string {
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
