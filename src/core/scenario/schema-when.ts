import { z } from 'zod'
import { KINDS } from '../task/task.js'
import { closed, duration, inBounds, oneOf, ordered, orElse } from './schema-parts.js'

/** The conditions of rules, faults, limits and mischief: which task, which time, how often. */

const pattern = z.string().transform((text, context) => {
  try {
    new RegExp(text, 'u')
    return text
  } catch (error) {
    context.issues.push({ code: 'custom', input: text, message: (error as Error).message })
    return z.NEVER
  }
})

const fieldTest = orElse(
  'expected a value to equal, { matches: regular expression } or { min, max }',
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  closed({
    matches: pattern.optional().meta({ description: 'A regular expression that is found in the field' }),
    ignore_case: z
      .boolean()
      .optional()
      .meta({ description: 'Whether upper and lower case are the same', default: false }),
    min: z.number().optional().meta({ description: 'The field is a number from this up' }),
    max: z.number().optional().meta({ description: 'The field is a number up to this' }),
  })
    .refine(inBounds, ordered('min', 'max'))
    .refine(({ matches, min, max }) => (matches === undefined) !== (min === undefined && max === undefined), {
      message: 'give either `matches`, or `min` and `max` or one of them',
    }),
)

const range = closed({
  min: z.int().min(1).optional().meta({ description: 'From this time on' }),
  max: z.int().min(1).optional().meta({ description: 'Up to this time' }),
}).refine(inBounds, ordered('min', 'max'))

/** Which tasks. */
export const ofTask = {
  model: z.string().optional().meta({ description: 'A model id; * stands for any characters' }),
  kind: oneOf(KINDS).optional().meta({ description: 'What the model makes' }),
  key: z.string().optional().meta({ description: 'The API key; * stands for any characters' }),
  input: z
    .record(z.string(), fieldTest)
    .optional()
    .meta({ description: 'Fields of the input by name, or by path with dots (messages.0.content)' }),
}

/** Which time that this very model and input are asked for. */
export const occurrence = orElse('expected a whole number from 1 up, or { min, max }', z.int().min(1), range)
  .optional()
  .meta({ description: 'Which time it is that this very model and input are asked for, counted from 1' })

const share = z.number().min(0).max(1)

/** When, and how often, counted over what the other conditions let through. */
export const ofOccasion = {
  window: closed({
    from: duration.optional().meta({ description: 'When it begins', default: '0s' }),
    to: duration.optional().meta({ description: 'When it is over; never unless given' }),
  })
    .refine(({ from = 0, to = Infinity }) => from < to, {
      message: 'the window ends before it starts: `from` must be less than `to`',
    })
    .optional()
    .meta({ description: 'A span of the clock, counted from when the scenario came into force' }),
  rate: orElse(
    'expected a share from 0 to 1, or { from, to }',
    share,
    closed({
      from: share.meta({ description: 'At the beginning of the window' }),
      to: share.meta({ description: 'At its end' }),
    }),
  )
    .optional()
    .meta({
      description: 'How often, 0 to 1; with { from, to } it goes from one to the other over the window',
    }),
  nth: orElse(
    'expected a whole number from 1 up, { min, max } or { every }',
    z.int().min(1),
    closed({
      ...range.shape,
      every: z.int().min(1).optional().meta({ description: 'Each that is a multiple of this' }),
    })
      .refine(inBounds, ordered('min', 'max'))
      .refine(({ min, max, every }) => every === undefined || (min ?? max) === undefined, {
        message: '`every` cannot go with `min` and `max`: give one or the other',
      }),
  )
    .optional()
    .meta({ description: 'Which of those that match, counted from 1' }),
  per: oneOf(['task', 'key']).optional().meta({
    description: 'What is counted for by itself: each task, or each API key; all together otherwise',
  }),
}

interface Ramp {
  readonly rate?: unknown
  readonly window?: { readonly to?: number | undefined } | undefined
}

/** A ramp needs to know where it ends. */
export const rampEnds = ({ rate, window }: Ramp) => typeof rate !== 'object' || window?.to !== undefined

/** What to say of one that does not. */
export const RAMP_HAS_NO_END = {
  message: 'a rate that goes from one share to another needs a `window` with a `to`',
  path: ['rate'],
}
