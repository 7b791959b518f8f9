import type { Allowance } from '../../engine/requests/rate-limiter.js'
import type { Simulator } from '../../simulator.js'
import { Problem } from '../problem.js'

/** Refuses a request that is one too many. */
export function tooManyRequests(allowance: Allowance, sim: Simulator): Problem {
  const { name, limit, per, retryAt = 0 } = allowance
  const seconds = secondsUntil(retryAt, sim)
  return new Problem(
    'rate_limited',
    `The rate limit \`${name}\` of ${limit} requests in ${per / 1_000} s is used up. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds), ...limitHeaders(allowance, sim) } },
  )
}

/**
 * Tells the state of a rate limit: X-RateLimit-Reset is in epoch seconds; the RateLimit fields are those of
 * draft-ietf-httpapi-ratelimit-headers.
 */
export function limitHeaders(
  { name, limit, per, remaining, resetAt }: Allowance,
  sim: Simulator,
): Record<string, string> {
  switch (sim.scenario.api.rateLimitHeaders) {
    case 'none':
      return {}
    case 'ratelimit':
      return {
        'ratelimit-policy': `${quoted(name)};q=${limit};w=${Math.ceil(per / 1_000)}`,
        ratelimit: `${quoted(name)};r=${remaining};t=${secondsUntil(resetAt, sim)}`,
      }
    case 'x-ratelimit':
      return {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(Math.ceil(resetAt / 1_000)),
      }
  }
}

/** A name as a string of structured fields (RFC 9651), which knows ASCII alone. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}

function secondsUntil(instant: number, { clock }: Simulator): number {
  return Math.max(1, Math.ceil((instant - clock.now()) / 1_000))
}
