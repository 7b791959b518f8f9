import * as v from 'valibot'
import { LONGEST_DURATION } from '../../engine/clock/durations.js'
import { isSupportedInstant } from '../../engine/clock/instants.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { tuple } from './own-schemas.js'

/** The values of which rows consist. A row is JSON, so no value is infinite, and undefined fields are missing. */

/** The largest count. Those of a simulator stay whole numbers for ever. */
const MAX_COUNT = 2 ** 52

/** A whole number from 0 up. */
export const count = v.pipe(
  v.number('a whole number from 0 up'),
  v.check((value) => Number.isInteger(value) && value >= 0 && value <= MAX_COUNT, 'a whole number from 0 up'),
)

/** A whole number from 1 up. */
export const ordinal = wholeFrom(1)

/** A whole number. */
export function wholeFrom(min: number, max = MAX_COUNT) {
  const form = max === MAX_COUNT ? `a whole number from ${min} up` : `a whole number from ${min} to ${max}`
  return v.pipe(
    v.number(form),
    v.check((value) => Number.isInteger(value) && value >= min && value <= max, form),
  )
}

/** A number within bounds. */
export function numberFrom(min: number, max = Number.MAX_VALUE) {
  const form = `a number from ${min} ${max === Number.MAX_VALUE ? 'up' : `to ${max}`}`
  return v.pipe(
    v.number(form),
    v.check((value) => value >= min && value <= max, form),
  )
}

/** A length of time in milliseconds. */
export const milliseconds = numberFrom(0, LONGEST_DURATION)

/** An instant that the clock has shown, in epoch milliseconds. */
export const instant = v.pipe(
  v.number('epoch milliseconds in the years 1 to 9999'),
  v.check(isSupportedInstant, 'epoch milliseconds in the years 1 to 9999'),
)

/** More than all durations that are added to an instant of the clock. */
const AHEAD = 100 * LONGEST_DURATION
const PLANNED_FORM = 'epoch milliseconds from the year 1 on'

/** An instant that the clock has not necessarily reached, in epoch milliseconds. */
export const planned = v.pipe(
  v.number(PLANNED_FORM),
  v.check((at) => isSupportedInstant(at) || (at > 0 && isSupportedInstant(at - AHEAD)), PLANNED_FORM),
)

/** A string. */
export const text = v.string('a string')

/** A string that is not empty. */
export const name = v.pipe(text, v.minLength(1, 'a string that is not empty'))

/** A string of visible ASCII characters, such as an id. */
export const visible = v.pipe(text, v.regex(/^[\x21-\x7e]{1,2000}$/, 'a string of visible ASCII characters'))

/** True or false. */
export const flag = v.boolean('true or false')

/** One of several words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, `one of ${words.join(', ')}`)
}

/** A mapping without other fields. */
export function closed<const Fields extends v.ObjectEntries>(fields: Fields) {
  return v.strictObject(fields, 'an object')
}

/** A list. */
export function list<const Item extends v.GenericSchema>(item: Item) {
  return v.array(item, 'a list')
}

/** An optional field whose type does not include undefined, because JSON has no undefined values. */
export function field<const Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(schema) as unknown as v.ExactOptionalSchema<Schema, undefined>
}

/** Any JSON value. */
export const json = v.custom<JsonValue>((value) => value !== undefined, 'a JSON value')

/** Any JSON object. */
export const jsonObject = v.custom<JsonObject>(isJsonObject, 'a JSON object')

/** A URL to which webhooks can be sent. */
export const webUrl = v.pipe(
  text,
  v.check((url) => httpUrl(url) !== undefined, HTTP_URL_FORM),
)

/** A job of the schedule: its instant, and its place among the jobs of the same instant. */
export const job = tuple(planned, count)

/** A piece of the bytes of a row: where it begins and where it ends. */
export const place = tuple(count, count)

/** Headers as they can be sent. */
export const headers = mapping<string>(isHeader, 'an object of headers as they can be sent')

function isHeader(value: unknown, name: string): boolean {
  return (
    /^[!#$%&'*+.^`|~\w-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  )
}

/** An object with any names. `v.record` would skip some of them, such as `__proto__`. */
export function mapping<Value>(isEntry: (value: unknown, name: string) => boolean, form: string) {
  return v.custom<Record<string, Value>>(
    (given) =>
      isJsonObject(given) &&
      Object.entries(given).every(([name, value]) => name !== '__proto__' && isEntry(value, name)),
    form,
  )
}

/** A mistake in a field of an object. */
export interface FieldFlaw {
  /** The name of the field, or the path of a value in it. */
  readonly field: string
  /** What was expected. */
  readonly message: string
}

/** Checks that the valid fields of an object fit together. @param flawOf returns the first mistake */
export function checkFields<Value extends object>(flawOf: (value: NoInfer<Value>) => FieldFlaw | undefined) {
  return {
    ...v.rawCheck<Value>(({ dataset, addIssue }) => {
      const flaw = dataset.typed ? flawOf(dataset.value) : undefined
      if (flaw !== undefined) addIssue({ message: flaw.message, path: [stepTo(flaw.field)] })
    }),
    /** For `accepts`, as in other checks of Valibot. */
    requirement: (value: Value) => flawOf(value) === undefined,
  }
}

/** A step of the path of an issue. */
export function stepTo(field: PropertyKey): v.ObjectPathItem {
  return { type: 'object', origin: 'value', input: {}, key: String(field), value: undefined }
}
