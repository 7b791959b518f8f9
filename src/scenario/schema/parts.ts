import * as v from 'valibot'
import type { DurationText } from '../../engine/clock/durations.js'
import {
  DURATION_FORM,
  DURATION_PATTERN,
  LONGEST_DURATION,
  readDuration,
} from '../../engine/clock/durations.js'
import { suggest } from '../../engine/suggest.js'
import { convertedOnce } from './forms.js'

/** The building blocks of the schema. */

/** Adds the description and the default that editors and the reference show. `DEFAULTS` supplies all other defaults. */
export function described<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  defaultValue?: unknown,
): v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>> {
  return v.pipe(
    schema,
    v.metadata({ description, ...(defaultValue === undefined ? {} : { default: defaultValue }) }),
  )
}

/** An optional field. */
export function optional<Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  defaultValue?: unknown,
): v.OptionalSchema<v.GenericSchema<v.InferInput<Schema>, v.InferOutput<Schema>>, undefined> {
  return v.optional(described(schema, description, defaultValue))
}

/** A text that is not empty. */
export const text = v.pipe(v.string(), v.minLength(1))

/** A finite number. */
export const number = v.pipe(v.number(), v.finite())

/** A number within bounds. */
export const numberFrom = (min: number, max: number) => v.pipe(number, v.minValue(min), v.maxValue(max))

/** A share, in error messages. */
export const SHARE_FORM = 'a number from 0 to 1, such as 0.05'
const EXPECTED_SHARE = `expected ${SHARE_FORM}`

/** A share from 0 to 1, such as a rate. */
export const share = v.pipe(
  v.number(EXPECTED_SHARE),
  v.finite(EXPECTED_SHARE),
  v.minValue(0, EXPECTED_SHARE),
  v.maxValue(1, EXPECTED_SHARE),
)

/** A whole number within bounds. */
export const integerFrom = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max))

/** The only value of a flag that is either true or absent. */
export const onlyTrue = v.literal(true, 'expected true')

/** A list that is not empty. */
export const nonEmptyList = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.minLength(1))

/** One of several words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, ({ input }) => suggest(asWord(input), words))
}

/** A wrong value as a word that may be misspelled. An object may have a `toString` that is not a function. */
export function asWord(input: unknown): string {
  return typeof input === 'object' ? '' : String(input)
}

/** A text that matches a pattern. */
export const textLike = (pattern: RegExp, message: string) => v.pipe(v.string(), v.regex(pattern, message))

/** Converts a value. `read` returns an `Unreadable` if the value is wrong. */
export function convertWith<Read, Value>(read: (value: NoInfer<Read>) => Value | Unreadable) {
  return v.rawTransform<Read, Value>(({ dataset, addIssue, NEVER }) => {
    const value = read(dataset.value)
    if (!(value instanceof Unreadable)) return value
    addIssue({ message: value.message })
    return NEVER
  })
}

/** The reason why a value cannot be converted. */
export class Unreadable {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/**
 * A text to convert.
 * @param read returns undefined if the text is wrong
 * @param message describes the expected text
 */
export function convertedText<Value>(read: (text: string) => Value | undefined, message: string) {
  return v.pipe(
    v.string(message),
    convertWith((text: string) => read(text) ?? new Unreadable(message)),
  )
}

/** A duration as text, converted to milliseconds. */
export const duration = v.pipe(
  convertedOnce(convertedText(readDuration, `expected ${DURATION_FORM}`), numberFrom(0, LONGEST_DURATION)),
  v.metadata({
    title: 'Duration',
    description:
      'A duration: a number with the unit d, h, m, s or ms, or several of them from the largest to the smallest unit',
    examples: ['250ms', '3s', '5m', '1h30m', '30d'],
    pattern: DURATION_PATTERN.source,
  }),
) as v.GenericSchema as v.GenericSchema<DurationText, number>

/** A duration above zero. */
export const positiveDuration = v.pipe(
  duration,
  v.check((milliseconds) => milliseconds > 0, 'expected a duration above 0s'),
)

/**
 * Checks that the fields of a valid mapping are compatible.
 * @param contradiction returns a message, or undefined if the fields are compatible
 * @param field the field that the message is about
 */
export function checkFields<Value extends object>(
  contradiction: (value: NoInfer<Value>) => string | undefined,
  field?: NoInfer<keyof Value & string>,
) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const message = contradiction(dataset.value)
    if (message !== undefined) addIssue({ message, ...(field && { path: [partOf(dataset.value, field)] }) })
  })
}

/** A step of the path of an issue. */
export function partOf(input: object, key: string): v.ObjectPathItem {
  const fields = input as Record<string, unknown>
  return { type: 'object', origin: 'value', input: fields, key, value: fields[key] }
}

/** The name of a rule of any kind. */
export const ruleName = optional(text, 'The name of the rule in logs, the journal and errors')

/** The message for two bounds in the wrong order. */
export const ordered = (low: string, high: string) => `\`${low}\` must not be greater than \`${high}\``

interface Bounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** Checks the order of two bounds. */
export function checkBounds<Value extends Bounds>() {
  return v.check<Value, string>(({ min = -Infinity, max = Infinity }) => min <= max, ordered('min', 'max'))
}
