import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Random } from '../../engine/random.js'
import { fakerOn } from '../faker.js'
import { sample } from './json-schema/sample.js'

/** The schema of an object of which the client asks for no more than that. */
const ANY_OBJECT = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }

/**
 * Writes a reply as the JSON that the client asks for in `response_format`: a value that fits its JSON Schema, or any
 * object.
 * @returns undefined if the client does not ask for JSON
 */
export function structuredText(input: JsonObject, random: Random): Promise<string> | undefined {
  const schema = schemaIn(input)
  return schema === undefined ? undefined : writeSample(schema, random)
}

async function writeSample(schema: JsonValue, random: Random): Promise<string> {
  const faker = await fakerOn(random)
  return JSON.stringify(sample(schema, { random, faker: faker() }))
}

/** Reads the schema in either form: `{ type: 'json_schema', json_schema: { schema } }` or `{ type, schema }`. */
function schemaIn({ response_format: format }: JsonObject): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined
  const { type, schema, json_schema: nested } = format
  if (type === 'json_object') return ANY_OBJECT
  if (type !== 'json_schema') return undefined
  return (isJsonObject(nested) ? nested['schema'] : schema) ?? ANY_OBJECT
}
