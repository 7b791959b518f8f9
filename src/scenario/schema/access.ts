import * as v from 'valibot'
import { operations } from './fault.js'
import { anyOf, byName, closed } from './forms.js'
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
  textLike,
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

/** The name of a dialect. */
export const dialectName = textLike(
  /^[a-z][a-z0-9-]{1,30}$/,
  'expected small letters, digits and `-`, such as acme',
)

const settings = closed('DialectSettings', {
  file: optional(text, 'The path of a dialect file, relative to this file, which adds the dialect'),
  secret: optional(text, 'The signing secret of its webhooks. --webhook-secret overrides it'),
  previous_secret: optional(
    text,
    'The secret with which the webhook fault `previous_secret` signs, as during a rotation',
  ),
})

const otherDialect = v.pipe(
  dialectName,
  v.check(
    (name) => name !== 'tasks',
    'the dialect `tasks` has no settings here: set `webhooks.secret` and `webhooks.previous_secret`',
  ),
)

/** The settings of the formats of other services. */
export const dialects = byName(otherDialect, settings)
