import { DURATION_PATTERN } from '../engine/clock/durations.js'

/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>

/** What most schemas say beside their type. */
type More = Readonly<Record<string, unknown>>

/**
 * An object of these fields; one whose name ends with a question mark may be left out.
 * @example
 * object({ id: text('Names it'), 'error?': ref('TaskError') })
 */
export function object(fields: Readonly<Record<string, Schema>>, more: More = {}): Schema {
  const names = Object.keys(fields)
  return {
    type: 'object',
    ...more,
    properties: Object.fromEntries(Object.entries(fields).map(([name, schema]) => [bare(name), schema])),
    required: names.filter((name) => !name.endsWith('?')),
  }
}

function bare(name: string): string {
  return name.replace(/\?$/, '')
}

export function text(description: string, more: More = {}): Schema {
  return { type: 'string', description, ...more }
}

/** A text of a reasonable length. */
export function name(description: string): Schema {
  return text(description, { minLength: 1, maxLength: 200 })
}

export function number(description: string, more: More = {}): Schema {
  return { type: 'number', description, ...more }
}

export function count(description: string, more: More = {}): Schema {
  return { type: 'integer', minimum: 0, description, ...more }
}

export function flag(description: string, more: More = {}): Schema {
  return { type: 'boolean', description, ...more }
}

/** One word of a list. */
export function word(description: string, words: readonly string[], more: More = {}): Schema {
  return { type: 'string', enum: words, description, ...more }
}

/** An instant: ISO 8601, UTC. */
export function instant(description: string, more: More = {}): Schema {
  return {
    type: 'string',
    format: 'date-time',
    description,
    examples: ['2026-01-01T00:00:02.000Z'],
    ...more,
  }
}

/** A duration such as `30s`. */
export function duration(description: string, more: More = {}): Schema {
  return { type: 'string', description, pattern: DURATION_PATTERN.source, examples: ['30s'], ...more }
}

export function listOf(items: Schema, description?: string): Schema {
  return { type: 'array', ...(description !== undefined && { description }), items }
}

/** An object that maps names to values of one kind. */
export function mapOf(values: Schema, description: string, more: More = {}): Schema {
  return { type: 'object', description, additionalProperties: values, ...more }
}

/** Whatever the client or the scenario put in. */
export function anyObject(description: string, more: More = {}): Schema {
  return { type: 'object', description, additionalProperties: true, ...more }
}

/** One of several forms. */
export function oneOf(description: string, ...forms: readonly Schema[]): Schema {
  return { description, anyOf: forms }
}

/** A schema among the document's components. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** One that may be null. */
export function orNull(schema: Schema): Schema {
  return { ...schema, type: [schema['type'], 'null'] }
}

/** A page of a list, newest first. */
export function pageOf(item: Schema, more: Readonly<Record<string, Schema>> = {}): Schema {
  return object({
    data: listOf(item, 'Newest first'),
    has_more: flag('Whether there are further ones'),
    next_cursor: orNull(text('Pass it as `after` to get the next page; null on the last one')),
    ...more,
  })
}
