import { z } from 'zod'
import { LONGEST_DURATION } from '../time/durations.js'
import { closed, duration, inBounds, ordered, orElse } from './schema-parts.js'

/** Beyond this, a draw of a lognormal delay once in a billion tasks would never end. */
const LONGEST_TAIL = Math.log(LONGEST_DURATION / 1_000)
const ONE_IN_A_BILLION = 6

const shortest = duration.meta({ description: 'No shorter than this' })
const longest = duration.meta({ description: 'No longer than this' })
const bounds = { min: shortest.optional(), max: longest.optional() }
const lognormal = closed({
  median: duration.meta({ description: 'Half of the draws are longer' }),
  p95: duration.meta({ description: 'One draw in twenty is longer' }),
  ...bounds,
})
  .refine(inBounds, ordered('min', 'max'))
  .refine(({ median }) => median > 0, { message: '`median` must be greater than 0s' })
  .refine(({ median, p95 }) => median <= p95, ordered('median', 'p95'))

const lognormalByParameters = closed({
  mu: z.number().meta({ description: 'Mean of the natural logarithm of the seconds' }),
  sigma: z
    .number()
    .min(0)
    .meta({ description: 'Standard deviation of the natural logarithm of the seconds' }),
  ...bounds,
})
  .refine(inBounds, ordered('min', 'max'))
  .refine(({ mu, sigma, max }) => max !== undefined || mu + ONE_IN_A_BILLION * sigma <= LONGEST_TAIL, {
    message: 'with these parameters a delay could last for centuries: lower them, or give a `max`',
  })

const normal = closed({
  mean: duration.meta({ description: 'The mean' }),
  stddev: duration.meta({ description: 'The standard deviation' }),
  ...bounds,
})
  .refine(inBounds, ordered('min', 'max'))
  .refine(({ min }) => min !== undefined, {
    message: 'a normal distribution can yield a negative delay: give a `min`, such as 0s',
  })

const exponential = closed({ mean: duration.meta({ description: 'The mean' }), ...bounds }).refine(
  inBounds,
  ordered('min', 'max'),
)

const PERCENTILE = /^p(?:100|\d{1,2}(?:\.\d+)?)$/
const percentiles = closed({
  percentiles: z
    .record(
      z.string().regex(PERCENTILE, { error: () => 'expected a percentile such as p50, p99 or p99.9' }),
      duration,
    )
    .meta({ description: 'As measured, such as { p50: 8s, p99: 60s }; on straight lines between them' }),
})
  .refine(({ percentiles }) => Object.keys(percentiles).length >= 2, {
    message: 'give at least two percentiles',
  })
  .refine(({ percentiles }) => isAscending(percentiles), {
    message: 'a higher percentile must not have a shorter delay than a lower one',
  })

function isAscending(percentiles: Record<string, number>): boolean {
  const delays = Object.entries(percentiles)
    .sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .map(([, delay]) => delay)
  return delays.every((delay, index) => index === 0 || delay >= (delays[index - 1] ?? 0))
}

const range = closed({ min: shortest, max: longest }).refine(inBounds, ordered('min', 'max'))

const SPREAD_FORM =
  'expected a duration such as 3s, a range { min: 2s, max: 5s }, a spread such as { median: 20s, p95: 60s }'

const SPREADS = [duration, range, lognormal, lognormalByParameters, normal, exponential, percentiles] as const

/** A span of time, fixed or drawn from a distribution. */
export const spread = orElse(SPREAD_FORM, ...SPREADS)

/** How long a task is processed. */
export const delay = orElse(
  `${SPREAD_FORM}, or { polls: 3 }`,
  ...SPREADS,
  closed({
    polls: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ description: 'The task ends at this poll, whatever the time' }),
  }),
).meta({
  description:
    'How long a task is processed: fixed, drawn from a distribution, or until its n-th poll; 3s unless anything says so',
})
