import * as v from 'valibot'

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
