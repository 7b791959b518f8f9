import type { IncomingMessage } from 'node:http'
import type { HeaderRecord } from '../../engine/requests/header-record.js'

interface Known {
  /** As {@link IncomingMessage.rawHeaders}. */
  readonly raw: readonly string[]
  readonly headers: HeaderRecord
}

const SLOTS = 64

/** Recently received headers, by a hash of their lengths. */
const known: (Known | undefined)[] = new Array(SLOTS).fill(undefined)

/**
 * The headers of a request. Requests with the same headers share one object, because a client sends the same ones with
 * each poll, and the journal keeps the headers of thousands of requests.
 */
export function sharedHeaders(request: IncomingMessage): HeaderRecord {
  const { rawHeaders: raw } = request
  const slot = slotOf(raw)
  const last = known[slot]
  if (last !== undefined && areEqual(last.raw, raw)) return last.headers
  const { headers } = request
  known[slot] = { raw, headers }
  return headers
}

function slotOf(raw: readonly string[]): number {
  let hash = raw.length
  for (const text of raw) hash = (Math.imul(hash, 31) + text.length) | 0
  return hash & (SLOTS - 1)
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false
  return true
}
