import * as v from 'valibot'
import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import { anyOf, byName, closed, named } from './forms.js'
import {
  checkBounds,
  described,
  duration,
  integerFrom,
  number,
  optional,
  ordered,
  textLike,
} from './parts.js'

/** Rejects a lognormal distribution in which one delay in a billion exceeds the longest duration. */
const LONGEST_TAIL = Math.log(LONGEST_DURATION / 1_000)
const ONE_IN_A_BILLION = 6

const SHORTEST = 'The shortest delay'
const LONGEST = 'The longest delay'
const bounds = { min: optional(duration, SHORTEST), max: optional(duration, LONGEST) }

const lognormal = v.pipe(
  closed('Lognormal', {
    median: described(duration, 'The median: half of the delays are longer'),
    p95: described(duration, 'The 95th percentile: one delay in twenty is longer'),
    ...bounds,
  }),
  checkBounds(),
  v.check(({ median }) => median > 0, '`median` must be greater than 0s'),
  v.check(({ median, p95 }) => median <= p95, ordered('median', 'p95')),
)

const lognormalByParameters = v.pipe(
  closed('LognormalByParameters', {
    mu: described(number, 'The mean of the natural logarithm of the seconds'),
    sigma: described(
      v.pipe(number, v.minValue(0)),
      'The standard deviation of the natural logarithm of the seconds',
    ),
    ...bounds,
  }),
  checkBounds(),
  v.check(
    ({ mu, sigma, max }) => max !== undefined || mu + ONE_IN_A_BILLION * sigma <= LONGEST_TAIL,
    'with these parameters a delay could last for centuries: lower them, or give a `max`',
  ),
)

const normal = v.pipe(
  closed('Normal', {
    mean: described(duration, 'The mean'),
    stddev: described(duration, 'The standard deviation'),
    ...bounds,
  }),
  checkBounds(),
  v.check(
    ({ min }) => min !== undefined,
    'a normal distribution can yield a negative delay: give a `min`, such as 0s',
  ),
)

const exponential = v.pipe(
  closed('Exponential', { mean: described(duration, 'The mean'), ...bounds }),
  checkBounds(),
)

/** The name of a percentile. */
export const percentileName = textLike(
  /^p(?:100|\d{1,2}(?:\.\d+)?)$/,
  'expected a percentile such as p50, p99 or p99.9',
)
const percentiles = v.pipe(
  closed('Percentiles', {
    percentiles: described(
      byName(percentileName, duration),
      'Measured percentiles, such as { p50: 8s, p99: 60s }. Delays between them are interpolated linearly',
    ),
  }),
  v.check(({ percentiles }) => Object.keys(percentiles).length >= 2, 'give at least two percentiles'),
  v.check(
    ({ percentiles }) => isAscending(percentiles),
    'a higher percentile must not have a shorter delay than a lower one',
  ),
)

function isAscending(percentiles: Record<string, number>): boolean {
  const delays = Object.entries(percentiles)
    .sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)))
    .map(([, delay]) => delay)
  return delays.every((delay, index) => index === 0 || delay >= (delays[index - 1] ?? 0))
}

const range = v.pipe(
  closed('Range', { min: described(duration, SHORTEST), max: described(duration, LONGEST) }),
  checkBounds(),
)

const SPREAD_FORM =
  'expected a duration such as 3s, a range { min: 2s, max: 5s }, a spread such as { median: 20s, p95: 60s } or { percentiles: { p50: 8s, p99: 60s } }'

const SPREADS = [duration, range, lognormal, lognormalByParameters, normal, exponential, percentiles] as const

/** A fixed duration or a distribution of durations. */
export const spread = named('Spread', anyOf(SPREAD_FORM, ...SPREADS))

const POLLS = 'The number of the poll at which the task ends, regardless of the time'

/** How long processing takes. */
export const delay = optional(
  named(
    'Delay',
    anyOf(
      `${SPREAD_FORM}, or { polls: 3 }`,
      ...SPREADS,
      closed('Polls', { polls: described(integerFrom(1, 1_000_000), POLLS) }),
    ),
  ),
  'How long processing takes: a duration, a distribution, or the number of the poll that ends the task. The default is 3s',
)

/** How long a task stays queued. */
export const queueing = optional(
  spread,
  'How long a task stays queued before processing starts, in addition to any wait for `capacity`. The default is 0s',
)
