import * as v from 'valibot'
import { operations } from './fault.js'
import { closed, orElse } from './forms.js'
import {
  described,
  duration,
  numberFrom,
  oneOf,
  optional,
  positiveDuration,
  ruleName,
  some,
  text,
  wholeFrom,
} from './parts.js'

const credits = numberFrom(0, 1_000_000_000)

const key = described(text, 'The API key')

/** Which API keys are accepted, how long, and what they may spend. */
export const auth = closed('Auth', {
  keys: optional(
    some(
      orElse(
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
            'US dollars that successful tasks draw down; when they are spent, create answers 402',
          ),
          expires: optional(duration, 'When it expires, counted from the start'),
          revoked: optional(duration, 'When it is revoked, counted from the start'),
        }),
      ),
    ),
    'The accepted API keys; any, unless given',
  ),
  credits: optional(credits, "What each key may spend, in US dollars; a key's own goes before it"),
})

/** A rate limit: a fixed window, or a bucket of tokens. */
export const rateLimit = closed('RateLimit', {
  name: ruleName,
  operation: operations,
  key: optional(v.string(), 'For which API keys; * stands for any characters'),
  requests: described(wholeFrom(1, 1_000_000_000), 'How many each key may send'),
  per: described(positiveDuration, 'In which time'),
  burst: optional(
    wholeFrom(1),
    'Makes it a bucket of so many tokens that is filled up again at the rate of the limit',
  ),
})

/** How the state of a rate limit is told. */
export const rateLimitHeaders = oneOf(['x-ratelimit', 'ratelimit', 'none'])
