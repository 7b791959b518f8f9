import * as v from 'valibot'
import { SPEED_FORM } from '../../engine/clock/clock.js'
import { DURATION_FORM, DURATION_PATTERN, readDuration } from '../../engine/clock/durations.js'
import { INSTANT_FORM, readIsoInstant } from '../../engine/clock/read-instant.js'

// The start of a browser bundle contains every function of valibot that any module uses, because a bundler does not
// split a module. Use the same few functions as the schema of scenarios, such as `strictObject` and not `object`.

/** The keywords of JSON Schema other than the type. */
export type Keywords = Readonly<Record<string, unknown>>

/** A schema by its values. The types of valibot would make the declarations long. */
export type Schema<Input, Output = Input> = v.GenericSchema<Input, Output>

/** Adds a description and other keywords of JSON Schema. */
export function described<Input, Output>(
  schema: Schema<Input, Output>,
  description: string,
  keywords: Keywords = {},
): Schema<Input, Output> {
  return v.pipe(schema, v.metadata({ description, ...keywords }))
}

/** An object that is a component of the documents. */
export function shape<const Fields extends v.ObjectEntries>(description: string, fields: Fields) {
  return v.pipe(v.strictObject(fields), v.metadata({ description }))
}

/** A value that may be null. */
export function orNull<Input, Output>(schema: Schema<Input, Output>) {
  return v.union([schema, v.null()])
}

/** A field that may be missing. */
export function optional<Input, Output>(
  schema: Schema<Input, Output>,
  description: string,
  keywords: Keywords = {},
): v.OptionalSchema<Schema<Input, Output>, undefined> {
  return v.optional(described(schema, description, keywords))
}

// Nothing checks a response at run time, so the following parts have no messages for wrong values.

export const text = (description: string, keywords: Keywords = {}) =>
  described(v.string(), description, keywords)

export const number = (description: string, keywords: Keywords = {}) =>
  described(v.number(), description, keywords)

const whole = v.pipe(v.number(), v.metadata({ type: 'integer', minimum: 0 }))

/** A whole number from 0 up. */
export const count = (description: string, keywords: Keywords = {}) => described(whole, description, keywords)

/** Whole numbers by name. */
export const counts = (description: string, keywords: Keywords = {}) => record(whole, description, keywords)

export const flag = (description: string) => described(v.boolean(), description)

export const word = <const Words extends readonly string[]>(words: Words, description: string) =>
  described(v.picklist(words), description)

/** An instant in ISO 8601, UTC. */
export const instant = (description: string) =>
  text(description, { format: 'date-time', examples: ['2026-01-01T00:00:02.000Z'] })

export const list = <Item extends v.GenericSchema>(item: Item, description: string) =>
  described(v.array(item), description)

/** A response with a whole list. */
export const listOf = <Item extends v.GenericSchema>(item: Item) =>
  shape('A list', { data: list(item, 'All items') })

/** A response with a page of a list. */
export const pageOf = <Item extends v.GenericSchema>(item: Item) =>
  shape('A page of a list', {
    data: list(item, 'The items, newest first'),
    has_more: flag('Whether older items follow'),
    next_cursor: orNull(text('Pass it as `after` to get the next page; null on the last page')),
  })

/** An object with arbitrary keys. */
export const record = <Value extends v.GenericSchema>(
  value: Value,
  description: string,
  keywords: Keywords = {},
) => described(v.record(v.string(), value), description, keywords)

/** JSON of any shape. */
export const anyObject = (description: string, keywords: Keywords = {}) =>
  record(v.unknown(), description, keywords)

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

/** `true` or `false` in a query, parsed to a boolean. */
export const truth: Schema<'true' | 'false', boolean> = v.pipe(
  oneOf(['true', 'false']),
  v.transform((text) => text === 'true'),
)

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
  readIsoInstant,
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
