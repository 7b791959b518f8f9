import { z } from 'zod'
import { DURATION_FORM, readDuration } from '../time/durations.js'
import { closed, inBounds, ordered } from './schema-parts.js'

const moment = z
  .string()
  .refine((text) => readDuration(text) !== undefined, { message: `expected ${DURATION_FORM}` })
const expectedTask = z.record(z.string(), z.json())
const share = closed({
  min: z.number().min(0).max(1).optional(),
  max: z.number().min(0).max(1).optional(),
}).refine(inBounds, ordered('min', 'max'))
/** One thing that a scenario expects of itself. */
export const expectation = closed({
  create: closed({ model: z.string(), input: z.record(z.string(), z.json()) }),
  repeat: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .meta({ description: 'How often to send it, each time with another `variant` in the input' }),
  at: z.record(moment, expectedTask).optional().meta({
    description:
      'By time after creation: fields that the task has then; null where it has none, /.../ for a pattern',
  }),
  outcomes: closed({
    processing: share.optional(),
    succeeded: share.optional(),
    failed: share.optional(),
    canceled: share.optional(),
  })
    .optional()
    .meta({ description: 'Which share of the repeated tasks, 0 to 1, ends in a state' }),
  webhooks: z.array(z.string()).optional().meta({ description: 'The events that a receiver gets' }),
})
