import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { SHIPPED_NAMES } from '../../src/index.js'
import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'
import { code, table } from './markdown.js'
import { schemaReference } from './schema-reference.js'

const INTRODUCTION = `The fields of a scenario file. All fields are optional, except those marked as required. For explanations and
examples, see [scenarios.md](../scenarios.md), [faults.md](../faults.md), [webhooks.md](../webhooks.md) and
[media.md](../media.md). \`tasksim schema\` prints the JSON Schema from which this page is generated.

A **duration** is a number with a unit, such as \`250ms\`, \`3s\`, \`5m\`, \`24h\` or \`30d\`, or several of them, such as \`1h30m\`.`

/** Generates the reference of scenario files. */
export function scenarioReference(): string {
  return schemaReference('Scenario reference', INTRODUCTION, scenarioJsonSchema(), shippedScenarios())
}

/** Lists the shipped scenarios with their descriptions. */
function shippedScenarios(): string {
  const rows = SHIPPED_NAMES.map((name) => {
    const text = readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), 'utf8')
    return [code(name), parse(text).description]
  })
  return `## Shipped scenarios\n\n${table(['name', 'behavior'], rows)}`
}
