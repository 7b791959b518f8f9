import { CLIENTS, type ClientAddress } from '../../control/code/clients.js'
import type { Dialects } from '../../dialects/dialects.js'

/**
 * How the client of a dialect finds tasksim.
 * @throws UsageError if there is no dialect with the name
 */
export function clientAddress(dialects: Dialects, name: string): ClientAddress {
  dialects.check(name)
  if (name === dialects.main) return { path: '/api/v1' }
  return CLIENTS[name] ?? { path: `/${name}${dialects.own(name)?.prefix ?? ''}` }
}
