import * as v from 'valibot'

/** A text with a description and other keywords of JSON Schema. */
export function text(description: string, keywords: Readonly<Record<string, unknown>> = {}) {
  return v.pipe(v.string(), v.metadata({ description, ...keywords }))
}

/** A whole number from 0 up. */
export function count(description: string) {
  return v.pipe(v.number(), v.metadata({ type: 'integer', minimum: 0, description }))
}

/** A list. */
export function list<Item extends v.GenericSchema>(item: Item, description: string) {
  return v.pipe(v.array(item), v.metadata({ description }))
}

/** The URL of an output file. */
export function fileUrl(description: string) {
  return text(description, {
    format: 'uri',
    examples: ['http://127.0.0.1:4010/files/task_82wsE0eJdLYSLPR9BIkYOFzx/0.png?expires=...'],
  })
}
