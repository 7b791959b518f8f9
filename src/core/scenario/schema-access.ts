import { z } from 'zod'
import { operations } from './schema-fault.js'
import { closed, duration, oneOf, orElse, ruleName } from './schema-parts.js'

const credits = z.number().min(0).max(1_000_000_000).optional().meta({
  description: 'US dollars that successful tasks draw down; when they are spent, create answers 402',
})

const end = duration.optional()

/** Which API keys are accepted, how long, and what they may spend. */
export const auth = closed({
  keys: z
    .array(
      orElse(
        'expected an API key, or a mapping with a `key`',
        z
          .string()
          .min(1)
          .transform((key): { key: string; credits?: number; expires?: number; revoked?: number } => ({
            key,
          })),
        closed({
          key: z.string().min(1).meta({ description: 'The API key' }),
          credits,
          expires: end.meta({ description: 'When it expires, counted from the start' }),
          revoked: end.meta({ description: 'When it is revoked, counted from the start' }),
        }),
      ),
    )
    .min(1)
    .optional()
    .meta({ description: 'The accepted API keys; any, unless given' }),
  credits: credits.meta({
    description: "What each key may spend, in US dollars; a key's own goes before it",
  }),
})

/** A rate limit: a fixed window, or a bucket of tokens. */
export const rateLimit = closed({
  name: ruleName,
  operation: operations,
  key: z.string().optional().meta({ description: 'For which API keys; * stands for any characters' }),
  requests: z.int().min(1).max(1_000_000_000).meta({ description: 'How many each key may send' }),
  per: duration
    .refine((milliseconds) => milliseconds > 0, { message: 'expected a duration above 0s' })
    .meta({ description: 'In which time' }),
  burst: z.int().min(1).optional().meta({
    description: 'Makes it a bucket of so many tokens that is filled up again at the rate of the limit',
  }),
})

/** How the state of a rate limit is told. */
export const rateLimitHeaders = oneOf(['x-ratelimit', 'ratelimit', 'none'])
