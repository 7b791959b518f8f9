import * as v from 'valibot'
import type { DurationText } from '../../../engine/clock/duration-text.js'
import { DURATION_FORM, readDuration } from '../../../engine/clock/durations.js'
import { byName, closed, jsonObject, orElse } from './forms.js'
import { described, inBounds, oneOf, optional, share, wholeFrom } from './parts.js'

const MOMENT_FORM = `expected ${DURATION_FORM}`
const moment = v.pipe(
  v.string(MOMENT_FORM),
  v.check((text) => readDuration(text) !== undefined, MOMENT_FORM),
  v.title('Duration'),
) as v.GenericSchema as v.GenericSchema<DurationText, DurationText>

const shares = v.pipe(
  closed('Shares', { min: optional(share, 'At least'), max: optional(share, 'At the most') }),
  inBounds(),
)

/** A webhook that a receiver gets. */
const webhook = orElse(
  'expected the name of an event, or { event, signature }',
  v.string(),
  closed('ExpectedWebhook', {
    event: optional(v.string(), 'The event'),
    signature: optional(oneOf(['right', 'wrong', 'missing', 'previous']), 'What its signature is like'),
    before_answer: optional(v.boolean(), 'Whether it comes before the create request is answered'),
  }),
)

/** One thing that a scenario expects of itself. */
export const expectation = closed('Expectation', {
  after: optional(moment, 'When the first request is sent, counted from the start'),
  create: described(
    closed('Create', {
      model: described(v.string(), 'The model'),
      input: described(jsonObject, 'The input'),
    }),
    'The task that is created',
  ),
  repeat: optional(
    wholeFrom(1, 100_000),
    'How often to send it, each time with another `variant` in the input',
  ),
  same: optional(v.boolean(), 'true: repeated without a `variant`, as a retry is'),
  every: optional(moment, 'The time between the repetitions; none unless given'),
  answers: optional(
    v.array(
      orElse(
        'expected a status such as 503, or `none`',
        wholeFrom(Number.MIN_SAFE_INTEGER),
        v.literal('none', 'expected `none`'),
      ),
    ),
    'The status of each answer to the create requests; `none` where there is none',
  ),
  at: optional(
    byName(moment, jsonObject),
    'By time after creation: fields that the task has then; null where it has none, /.../ for a pattern',
  ),
  outcomes: optional(
    closed('Outcomes', {
      processing: optional(shares, 'The share that is still processed'),
      succeeded: optional(shares, 'The share that has succeeded'),
      failed: optional(shares, 'The share that has failed'),
      canceled: optional(shares, 'The share that was canceled'),
    }),
    'Which share of the requested tasks, 0 to 1, ends in a state; a rejected request ends in none',
  ),
  tasks: optional(wholeFrom(0), 'How many tasks there are in the end'),
  webhooks: optional(v.array(webhook), 'What a receiver that accepts all gets'),
})
