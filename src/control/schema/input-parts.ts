import * as v from 'valibot'
import { SPEED_FORM } from '../../engine/clock/clock.js'
import { DURATION_FORM, DURATION_PATTERN, readDuration } from '../../engine/clock/durations.js'
import { INSTANT_FORM, readInstant } from '../instant.js'
import type { Keywords, Schema } from './parts.js'

// Parts of queries and bodies. The message of each completes the sentence "The field must be ...".

/** The default number of items on a page. */
export const DEFAULT_LIMIT = 20

const NAME_FORM = 'a string of 1 to 200 characters'

/** A string of a reasonable length. */
export const name = v.pipe(v.string(NAME_FORM), v.minLength(1, NAME_FORM), v.maxLength(200, NAME_FORM))

/** One of several words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  const [first, second] = words
  return v.picklist(
    words,
    words.length === 2 ? `\`${first}\` or \`${second}\`` : `one of ${words.join(', ')}`,
  )
}

/** A whole number in JSON. */
export function wholeNumber(minimum: number, maximum: number) {
  const form = `a whole number from ${minimum} to ${maximum}`
  return v.pipe(v.number(form), v.safeInteger(form), v.minValue(minimum, form), v.maxValue(maximum, form))
}

/**
 * A string that is parsed.
 * @param parse returns undefined for an invalid string
 */
function parsed<Value>(
  form: string,
  keywords: Keywords,
  parse: (text: string) => Value | undefined,
): Schema<string, Value> {
  return v.pipe(
    v.string(form),
    v.metadata(keywords),
    v.check((text) => parse(text) !== undefined, form),
    v.transform((text) => parse(text) as Value),
  )
}

const parseNumber = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** The number of items that a query asks for. */
export function limitUpTo(maximum: number): Schema<string, number> {
  const keywords = { type: 'integer', minimum: 1, maximum, default: DEFAULT_LIMIT }
  return parsed(`a whole number from 1 to ${maximum}`, keywords, (text) => {
    const limit = parseNumber(text) ?? 0
    return limit >= 1 && limit <= maximum ? limit : undefined
  })
}

/** The expected form of the number of a journal entry, for error messages. */
export const ENTRY_NUMBER = 'a whole number, such as the `next_cursor` of a page'

export const entryNumber = parsed(ENTRY_NUMBER, { type: 'integer', minimum: 0 }, parseNumber)

/** Classes of answers to requests. */
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'lost', 'refused']
const STATUS_FORM = `a status such as 404, or one of ${STATUS_CLASSES.join(', ')}`
const STATUS_PATTERN = `^(?:\\d{1,3}|${STATUS_CLASSES.join('|')})$`

/** The status of an answer, or a class of them. */
export const statusText = parsed(
  STATUS_FORM,
  { type: ['integer', 'string'], pattern: STATUS_PATTERN },
  (text) => (new RegExp(STATUS_PATTERN).test(text) ? text : undefined),
)

/** The number of a journal entry as a cursor, which is a string. */
export const entryCursor = parsed(ENTRY_NUMBER, {}, parseNumber)

/** An instant in ISO 8601, parsed to epoch milliseconds. */
export const instantText = parsed(
  INSTANT_FORM,
  { format: 'date-time', examples: ['2026-01-01T00:00:02.000Z'] },
  readInstant,
)

const DURATION_KEYWORDS = { pattern: DURATION_PATTERN.source, examples: ['30s'] }

/** A duration such as `30s`, parsed to milliseconds. */
export const duration = parsed(DURATION_FORM, DURATION_KEYWORDS, readDuration)

/** A duration above zero, parsed to milliseconds. */
export const positiveDuration = parsed(
  `${DURATION_FORM}, above 0s`,
  DURATION_KEYWORDS,
  (text) => readDuration(text) || undefined,
)

/** Simulated seconds per real second. */
export const speed = v.pipe(v.number(SPEED_FORM), v.gtValue(0, SPEED_FORM), v.maxValue(1_000_000, SPEED_FORM))
