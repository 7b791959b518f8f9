import { z } from 'zod'
import { DURATION_FORM, readDuration } from '../time/durations.js'
import { closed, inBounds, oneOf, ordered, orElse } from './schema-parts.js'

const moment = z
  .string()
  .refine((text) => readDuration(text) !== undefined, { message: `expected ${DURATION_FORM}` })
const expectedTask = z.record(z.string(), z.json())
const share = closed({
  min: z.number().min(0).max(1).optional().meta({ description: 'At least' }),
  max: z.number().min(0).max(1).optional().meta({ description: 'At the most' }),
}).refine(inBounds, ordered('min', 'max'))
/** A webhook that a receiver gets. */
const webhook = orElse(
  'expected the name of an event, or { event, signature }',
  z.string(),
  closed({
    event: z.string().optional().meta({ description: 'The event' }),
    signature: oneOf(['right', 'wrong', 'missing', 'previous'])
      .optional()
      .meta({ description: 'What its signature is like' }),
    before_answer: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it comes before the create request is answered' }),
  }),
)

/** One thing that a scenario expects of itself. */
export const expectation = closed({
  after: moment.optional().meta({ description: 'When the first request is sent, counted from the start' }),
  create: closed({
    model: z.string().meta({ description: 'The model' }),
    input: z.record(z.string(), z.json()).meta({ description: 'The input' }),
  }).meta({ description: 'The task that is created' }),
  repeat: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'How often to send it, each time with another `variant` in the input' }),
  same: z.boolean().optional().meta({ description: 'true: repeated without a `variant`, as a retry is' }),
  every: moment.optional().meta({ description: 'The time between the repetitions; none unless given' }),
  answers: z
    .array(orElse('expected a status such as 503, or `none`', z.int(), z.literal('none')))
    .optional()
    .meta({ description: 'The status of each answer to the create requests; `none` where there is none' }),
  at: z.record(moment, expectedTask).optional().meta({
    description:
      'By time after creation: fields that the task has then; null where it has none, /.../ for a pattern',
  }),
  outcomes: closed({
    processing: share.optional().meta({ description: 'The share that is still processed' }),
    succeeded: share.optional().meta({ description: 'The share that has succeeded' }),
    failed: share.optional().meta({ description: 'The share that has failed' }),
    canceled: share.optional().meta({ description: 'The share that was canceled' }),
  })
    .optional()
    .meta({ description: 'Which share of the repeated tasks, 0 to 1, ends in a state' }),
  tasks: z.int().min(0).optional().meta({ description: 'How many tasks there are in the end' }),
  webhooks: z.array(webhook).optional().meta({ description: 'What a receiver that accepts all gets' }),
})
