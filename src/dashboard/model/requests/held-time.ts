import type { RequestBrief } from './request-brief.js'

const LIMITS = ['fault', 'rate_limit', 'capacity']
/** A request that took at least this many real milliseconds has waited for a task or for the clock. */
const LONG = 500

/**
 * For how many simulated milliseconds the service held a request on purpose: because of a fault or a limit, or because
 * the client waited for the end of a task. The few milliseconds of every other request mean nothing.
 */
export function heldTime({
  held_ms: held,
  took_ms: took,
  fault,
  decided_by: decision,
}: RequestBrief): number {
  const isHeld = fault !== undefined || (decision !== undefined && LIMITS.includes(decision.what))
  return isHeld || took >= LONG ? held : 0
}
