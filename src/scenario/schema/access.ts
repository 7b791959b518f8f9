import * as v from 'valibot'
import { byKind } from './by-kind.js'
import { operations } from './fault.js'
import { anyOf, byName, closed } from './forms.js'
import {
  described,
  duration,
  integerFrom,
  nonEmptyList,
  numberFrom,
  optional,
  positiveDuration,
  ruleName,
  setting,
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

const limit = {
  running: optional(
    integerFrom(1),
    'The maximum number of tasks that run at the same time. Further tasks are queued',
  ),
  queued: optional(integerFrom(0), 'The maximum number of queued tasks. The default is no limit'),
}

const oneLimit = closed('Limit', limit)

/** How many tasks may run at the same time. */
export const capacity = closed('Capacity', {
  ...limit,
  kinds: optional(
    byKind('KindLimits', oneLimit, ({ models }) => optional(oneLimit, models)),
    'The limits of each kind, for all its models together',
  ),
  models: optional(
    byName(text, oneLimit),
    'The limits of each matching model, by model id or by a pattern in which * stands for any characters',
  ),
  keys: optional(byName(text, oneLimit), 'The limits of each matching key, by API key or pattern'),
  overflow: optional(
    closed('Overflow', {
      status: setting(v.picklist([429, 503], 'expected 429 or 503'), 429, 'The status'),
      retry_after: setting(duration, '5s', 'The value of Retry-After'),
    }),
    'The response to a create request when the queue is full',
  ),
})
