import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'
import { tablePart } from './table-part.js'

/** The amount that each API key has spent, in micro-dollars. */
export function accountPart(parts: SimulatorParts): StatePart {
  return tablePart(parts, { kind: 'spent', tables: () => [parts.active.requestPolicy.accounts.spent] })
}

/** What remains of each rate limit for each API key. */
export function limitPart(parts: SimulatorParts): StatePart {
  const tables = () => parts.active.requestPolicy.limits.levels
  return tablePart(parts, { kind: 'limit', isLazy: true, tables })
}

/** How often each request occurred to which faults may apply, and the counts of the fault rules. */
export function faultPart(parts: SimulatorParts): StatePart {
  return tablePart(parts, { kind: 'fault', tables: () => parts.active.requestPolicy.faults.counts })
}
