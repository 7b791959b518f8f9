import { clientNow } from '../../engine/clock/system-clock.js'
import type { Allowance } from '../../engine/requests/key-limits.js'
import type { ApiRequest, Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import type { Simulator } from '../../simulator/simulator.js'
import { readNamedTask, readOrderBody } from '../handlers/create-body.js'
import type { ServiceExchange, ServiceHandler } from '../operation.js'
import { withoutErrors } from '../rejection.js'

/**
 * Takes a request from the rate limits that apply to it.
 * @returns the state of the limit that is nearest to its end; undefined if none applies
 */
export function takeAllowance({ sim, at, key, operation, request }: ServiceExchange): Allowance | undefined {
  return isEmbedded(request) ? undefined : sim.requestPolicy.limits.take(operation.id, key, at)
}

/**
 * Rejects a request that exceeds a rate limit. Adds the state of the limit to any other reply, even to a rejection.
 */
export async function withinLimit(
  allowance: Allowance,
  exchange: ServiceExchange,
  next: ServiceHandler,
): Promise<Reply> {
  if (allowance.retryAt !== undefined) {
    const problem = tooManyRequests(allowance, exchange)
    await readQuietly(exchange)
    throw problem
  }
  const reply = await withoutErrors(exchange, next)
  Object.assign(reply.headers, limitHeaders(allowance, exchange))
  return reply
}

/**
 * Whether a browser sends a request for a page of another origin that does not read the answer, such as for an image. It
 * has no `Origin`, so that nobody rejects it; and it must not use up the limits of the clients. Only browsers send the
 * headers that tell it.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isEmbedded(request: ApiRequest): boolean {
  if (request.header('origin') !== undefined) return false
  return request.header('sec-fetch-site') === 'cross-site' || request.header('sec-fetch-mode') === 'no-cors'
}

/** Reads the body for the findings, which tell create requests apart by it, and know other ones by the task in it. */
async function readQuietly(exchange: ServiceExchange): Promise<void> {
  const { reader, taskInBody } = exchange.operation
  if (taskInBody !== undefined) await readNamedTask(exchange, taskInBody)
  if (reader === undefined) return
  try {
    await readOrderBody(exchange)
  } catch (error) {
    // The limit rejects an invalid body as well.
    if (!(error instanceof Problem)) throw error
  }
}

function tooManyRequests(allowance: Allowance, exchange: ServiceExchange): Problem {
  const { sim } = exchange
  const { name, limit, per, retryAt = 0 } = allowance
  const seconds = secondsUntil(retryAt, sim)
  return new Problem(
    'rate_limited',
    `The rate limit \`${name}\` of ${limit} requests in ${per / 1_000} s is used up. Try again in ${seconds} s.`,
    { limit: name, retryAfter: seconds * 1_000, headers: limitHeaders(allowance, exchange) },
  )
}

function limitHeaders(allowance: Allowance, { sim, dialect }: ServiceExchange): Record<string, string> {
  const names = dialect.limitHeaders
  if (names === undefined || sim.scenario.api.rate_limit_headers === 'none')
    return scenarioHeaders(allowance, sim)
  const { resetAt } = allowance
  const reset = names.writeReset?.(resetAt - sim.clock.now()) ?? secondsUntil(resetAt, sim)
  const values = { ...allowance, reset }
  const given = (['limit', 'remaining', 'reset'] as const).flatMap((part) => {
    const name = names[part]?.toLowerCase()
    return name === undefined ? [] : [[name, String(values[part])] as const]
  })
  return Object.fromEntries(given)
}

/**
 * X-RateLimit-Reset is in epoch seconds of the client's clock; the RateLimit fields follow
 * draft-ietf-httpapi-ratelimit-headers.
 */
function scenarioHeaders(
  { name, limit, per, remaining, resetAt }: Allowance,
  sim: Simulator,
): Record<string, string> {
  switch (sim.scenario.api.rate_limit_headers) {
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
        'x-ratelimit-reset': String(Math.ceil((clientNow(sim.clock) + resetAt - sim.clock.now()) / 1_000)),
      }
  }
}

/** A name as a string of structured fields (RFC 9651), which allows ASCII only. */
function quoted(name: string): string {
  return `"${name.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}

function secondsUntil(instant: number, { clock }: Simulator): number {
  return Math.max(1, Math.ceil((instant - clock.now()) / 1_000))
}
