import { PERIODS, PRECISION } from './periods.js'
import type { AnsweredRequest } from './requests.js'
import type { RateOf } from './shown-limits.js'

/** The status of a rejection by a rate limit. */
export const TOO_MANY = 429
const MIN_WINDOWS = 3
/** The share of windows and answers that must agree with a limit. */
const ENOUGH = 0.9

interface Window {
  accepted: number
  rejected: number
  /** How many requests were accepted after a rejection. */
  late: number
}

/**
 * Finds the fixed window that explains rejections: each window with a rejection accepted as many requests as the fullest
 * one, none was accepted after a rejection, and `Retry-After` leads to its end. Windows start at whole multiples of
 * their length.
 * @param requests in the order in which they were sent
 * @returns undefined if there is none, or if it is seen in fewer than three windows
 */
export function countedLimit(requests: readonly AnsweredRequest[]): RateOf | undefined {
  for (const per of PERIODS) {
    const windows = windowsOf(requests, per)
    const full = windows.filter(({ rejected }) => rejected > 0)
    const most = windows.reduce((sum, { accepted }) => Math.max(sum, accepted), 0)
    if (most === 0 || full.length < MIN_WINDOWS) continue
    const agreeing = full.filter(({ accepted, late }) => accepted === most && late === 0)
    if (agreeing.length >= ENOUGH * full.length && endsAsAsked(requests, per)) return { requests: most, per }
  }
  return undefined
}

function windowsOf(requests: readonly AnsweredRequest[], per: number): Window[] {
  const windows = new Map<string, Window>()
  for (const { at, key, status } of requests) {
    const name = `${key} ${Math.floor(at / per)}`
    const window = windows.get(name) ?? { accepted: 0, rejected: 0, late: 0 }
    windows.set(name, window)
    if (status === TOO_MANY) window.rejected += 1
    else {
      window.accepted += 1
      if (window.rejected > 0) window.late += 1
    }
  }
  return [...windows.values()]
}

function endsAsAsked(requests: readonly AnsweredRequest[], per: number): boolean {
  const asked = requests.filter(({ status, retryAfter }) => status === TOO_MANY && retryAfter > 0)
  const right = asked.filter(({ at, retryAfter }) => Math.abs(per - (at % per) - retryAfter) <= PRECISION)
  return right.length >= ENOUGH * asked.length
}
