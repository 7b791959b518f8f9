import * as v from 'valibot'
import { operations } from './fault.js'
import { anyOf, closed } from './forms.js'
import {
  described,
  duration,
  integerFrom,
  nonEmptyList,
  numberFrom,
  oneOf,
  optional,
  positiveDuration,
  ruleName,
  text,
} from './parts.js'

const credits = numberFrom(0, 1_000_000_000)

const key = described(text, 'The API key')

/** The accepted API keys, their validity and their budgets. */
export const auth = closed('Auth', {
  keys: optional(
    nonEmptyList(
      anyOf(
        'expected an API key, or a mapping with a `key`',
        v.pipe(
          text,
          v.transform((key): { key: string; credits?: number; expires?: number; revoked?: number } => ({
            key,
          })),
        ),
        closed('ApiKey', {
          key,
          credits: optional(
            credits,
            'The budget of the key in US dollars. Successful tasks reduce it; without budget, create requests fail with 402',
          ),
          expires: optional(duration, 'The time after the start at which the key expires'),
          revoked: optional(duration, 'The time after the start at which the key is revoked'),
        }),
      ),
    ),
    'The accepted API keys. By default, every key is accepted',
  ),
  credits: optional(credits, 'The budget of each key in US dollars. The `credits` of a key override it'),
})

/** A rate limit: a fixed window or a token bucket. */
export const rateLimit = closed('RateLimit', {
  name: ruleName,
  operation: operations,
  key: optional(v.string(), 'The API keys to limit; * stands for any characters'),
  requests: described(
    integerFrom(1, 1_000_000_000),
    'The number of requests that each key may send in the interval',
  ),
  per: described(positiveDuration, 'The interval'),
  burst: optional(
    integerFrom(1),
    'The size of a token bucket, which refills at the rate of the limit. Without it, the limit is a fixed window',
  ),
})

/** How responses report the state of a rate limit. */
export const rateLimitHeaders = oneOf(['x-ratelimit', 'ratelimit', 'none'])
