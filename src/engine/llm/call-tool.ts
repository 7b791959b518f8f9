import type { JsonObject } from '../json.js'
import { base62, type Random } from '../random.js'
import { isObject } from './conversation.js'
import { fakerOn } from './faker.js'
import { sample } from './json-schema/sample.js'
import type { Tool } from './tools.js'

/** What a model writes instead of text to have a tool called, with arguments that the tool's schema accepts. */
export async function callTool({ name, parameters }: Tool, random: Random): Promise<JsonObject> {
  const [faker, { samplePattern }] = await Promise.all([
    fakerOn(random),
    import('./json-schema/sample-pattern.js'),
  ])
  const id = `call_${base62(random, 24)}`
  const made = isObject(parameters) ? sample(parameters, { random, faker: faker(), samplePattern }) : {}
  // A function is called with named arguments, whatever its schema says.
  return { id, type: 'function', function: { name, arguments: JSON.stringify(isObject(made) ? made : {}) } }
}
