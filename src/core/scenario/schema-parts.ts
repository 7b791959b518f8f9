import { z } from 'zod'
import { DURATION_FORM, readDuration } from '../time/durations.js'
import { list, suggest } from './suggest.js'

/** The pieces of the schema that make its errors name the nearest valid word. */

/** Stands between what is said of one unknown field and of the next; no name of a field has it in it. */
export const BETWEEN_FIELDS = '\0'

/** An object that takes no other fields than these. */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return (issue.keys as string[])
          .map((key) => `unknown field \`${key}\`; ${suggest(key, known)}`)
          .join(BETWEEN_FIELDS)
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

/**
 * A text that is read into something else.
 * @param read gives undefined for a text that is none of it
 * @param message says what it must be
 */
export function textOf<Value>(read: (text: string) => Value | undefined, message: string) {
  return z.string({ error: () => message }).transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.issues.push({ code: 'custom', input: text, message })
    return z.NEVER
  })
}

/** A duration in text, read to milliseconds. */
export const duration = textOf(readDuration, `expected ${DURATION_FORM}`).meta({
  description: 'A duration: a number and ms, s, m, h or d',
  examples: ['250ms', '3s', '5m', '24h', '30d'],
})

/**
 * A check of parts that cannot go together, asked only where each part by itself is right.
 * @param contradiction says what is wrong, or undefined where nothing is
 */
export function isPossible<Value>(contradiction: (value: Value) => string | undefined) {
  return ({ value, issues }: z.core.ParsePayload<Value>) => {
    const message = issues.length === 0 ? contradiction(value) : undefined
    if (message !== undefined) issues.push({ code: 'custom', message, input: value })
  }
}

/** The name of a rule of any kind. */
export const ruleName = z
  .string()
  .min(1)
  .optional()
  .meta({ description: 'What logs, the journal and errors call it' })

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
