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
export function mountOf({ request: { path }, params }: Call, { depth, rest }: OperationPlace): string {
  let end = path.endsWith('/') ? path.length - 1 : path.length
  const further = rest === -1 ? 0 : (params[rest]?.split('/').length ?? 1) - 1
  for (let count = 0; count < depth + further; count++) end = path.lastIndexOf('/', end - 1)
  return path.slice(0, Math.max(0, end))
}
