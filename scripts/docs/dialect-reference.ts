import { dialectJsonSchema } from '../../src/scenario/language/dialect/json-schema.js'
import { schemaReference } from './schema-reference.js'

const INTRODUCTION = `The fields of a dialect file. [dialect-files.md](../dialect-files.md) explains them, with the values and the filters
of templates. \`tasksim schema --dialect\` prints the JSON Schema from which this page is generated.`

/** Generates the reference of dialect files. */
export function dialectReference(): string {
  return schemaReference('Dialect file reference', INTRODUCTION, dialectJsonSchema())
}
