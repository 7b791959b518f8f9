import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'
import { schemaReference } from './schema-reference.js'

const INTRODUCTION = `The fields of a scenario file. All fields are optional, except those marked as required. For explanations and
examples, see [scenarios.md](../scenarios.md), [faults.md](../faults.md), [webhooks.md](../webhooks.md) and
[media.md](../media.md). \`tasksim schema\` prints the JSON Schema from which this page is generated.

A **duration** is a number with a unit, such as \`250ms\`, \`3s\`, \`5m\`, \`24h\` or \`30d\`, or several of them, such as \`1h30m\`.`

/** Generates the reference of scenario files. */
export function scenarioReference(): string {
  return schemaReference('Scenario reference', INTRODUCTION, scenarioJsonSchema())
}
