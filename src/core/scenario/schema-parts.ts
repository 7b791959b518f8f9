import { z } from 'zod'
import { DURATION_FORM, readDuration } from '../time/durations.js'
import { list, suggest } from './suggest.js'

/** The pieces of the schema that make its errors name the nearest valid word. */

/** An object that takes no other fields than these. */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return (issue.keys as string[])
          .map((key) => `unknown field \`${key}\`; ${suggest(key, known)}`)
          .join('. ')
      }
      return issue.code === 'invalid_type' ? `expected a mapping with ${list(known)}` : undefined
    },
  })
}

/** One word of a list. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: (issue) => suggest(String(issue.input), words) })
}

/**
 * One of several forms.
 * @param message says what the forms are, where the value resembles none of them
 */
export function orElse<const Forms extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(
  message: string,
  ...forms: Forms
) {
  return z.union(forms, { error: () => message })
}

/** A duration in text, read to milliseconds. */
export const duration = z
  .string({ error: () => `expected ${DURATION_FORM}` })
  .transform((text, context) => {
    const milliseconds = readDuration(text)
    if (milliseconds !== undefined) return milliseconds
    context.issues.push({ code: 'custom', input: text, message: `expected ${DURATION_FORM}` })
    return z.NEVER
  })
  .meta({
    description: 'A duration: a number and ms, s, m, h or d',
    examples: ['250ms', '3s', '5m', '24h', '30d'],
  })

/** What to say of bounds that are the wrong way round. */
export const ordered = (low: string, high: string) => ({
  message: `\`${low}\` must not be greater than \`${high}\``,
})

/** Whether bounds, where both are given, are the right way round. */
export const inBounds = ({
  min = -Infinity,
  max = Infinity,
}: {
  min?: number | undefined
  max?: number | undefined
}) => min <= max
