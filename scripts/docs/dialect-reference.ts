import { readFileSync } from 'node:fs'
import { dialectJsonSchema } from '../../src/cli/commands/schema.js'
import { MAIN_DIALECT } from '../../src/dialects/built-in.js'
import { CONTEXTS, type TemplateContext } from '../../src/dialects/language/template-check.js'
import { FILTERS, type FilterName, parametersOf } from '../../src/dialects/table/template/filters.js'
import type { DescribedValues, JsonSchema } from '../../src/dialects/table/template/template-schema.js'
import {
  ERROR_SCHEMAS,
  pageValues,
  RECEIVER_SCHEMAS,
  taskValues,
  UPLOAD_SCHEMAS,
} from '../../src/dialects/table/value-schemas.js'
import { isJsonObject } from '../../src/engine/json.js'
import { code, table } from './markdown.js'
import { schemaReference } from './schema-reference.js'

const INTRODUCTION = `The fields of a dialect file, and the values and filters of its templates. [dialect-files.md](../dialect-files.md) explains them.
\`tasksim schema --dialect\` prints the JSON Schema from which this page is generated.`

/** A context with fewer values is listed in full in every other context that has them. */
const FEW = 6

/** Generates the reference of dialect files. */
export function dialectReference(): string {
  return schemaReference(
    'Dialect file reference',
    INTRODUCTION,
    dialectJsonSchema(),
    valuesOfTemplates(),
    typesOfValues(),
    filters(),
  )
}

function valuesOfTemplates(): string {
  const contexts: readonly TemplateContext[] = Object.values(CONTEXTS)
  const rows = contexts.map((context, index) => [
    context.name,
    describeValues(context, contexts.slice(0, index)),
  ])
  return `## Values of templates\n\n${table(['template', 'values'], rows)}`
}

const TYPES_INTRODUCTION = `A value with a question mark may be missing: \`or\` gives another one in its place. Values that are not listed can have
any type, or are missing.`

/** Lists the types of the values that have the same one everywhere in a source. */
function typesOfValues(): string {
  const sources: Readonly<Record<string, DescribedValues>> = {
    'a task': taskValues(MAIN_DIALECT.table),
    'a list': pageValues({}),
    'a rejection': ERROR_SCHEMAS,
    upload: UPLOAD_SCHEMAS,
    receiver: RECEIVER_SCHEMAS,
  }
  const rows = Object.entries(sources).flatMap(([source, values]) =>
    [...byType(values)].map(([type, names]) => [source, type, names.join(', ')]),
  )
  return `## Types of values\n\n${TYPES_INTRODUCTION}\n\n${table(['values of', 'type', 'values'], rows)}`
}

function byType(values: DescribedValues): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const [name, { schema, isAlways }] of Object.entries(values)) {
    const type = typeIn(schema)
    found.set(type, [...(found.get(type) ?? []), code(name) + (isAlways ? '' : '?')])
  }
  return found
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'list',
  object: 'mapping',
  boolean: '`true` or `false`',
  integer: 'whole number',
  number: 'number',
}

const FORMATS: Readonly<Record<string, string>> = { uri: 'URL', 'date-time': 'ISO 8601 time in UTC' }

function typeIn({ type, format, minimum, maximum, items }: JsonSchema): string {
  const [first] = [type].flat()
  if (typeof first !== 'string') return 'any'
  if (typeof format === 'string') return FORMATS[format] ?? format
  const range =
    minimum === undefined ? '' : ` from ${minimum}${maximum === undefined ? '' : ` to ${maximum}`}`
  const hasTexts = isJsonObject(items) && items['type'] === 'string'
  return `${TYPE_NAMES[first] ?? first}${range}${hasTexts ? ' of texts' : ''}`
}

/** Lists the values of a context, and refers to the largest earlier context that has only values of this one. */
function describeValues({ values }: TemplateContext, earlier: readonly TemplateContext[]): string {
  const [base] = earlier
    .filter(
      (context) => context.values.length >= FEW && context.values.every((name) => values.includes(name)),
    )
    .sort((one, other) => other.values.length - one.values.length)
  const own = values.filter((name) => base?.values.includes(name) !== true).map(code)
  return `${base === undefined ? '' : `the values of ${base.name}; `}${own.join(', ')}`
}

/** Lists the filters with the comments in their source. */
function filters(): string {
  const source = readFileSync(
    new URL('../../src/dialects/table/template/filters.ts', import.meta.url),
    'utf8',
  )
  const rows = (Object.keys(FILTERS) as FilterName[]).map((name) => {
    const [, comment] = new RegExp(`/\\*\\* (.+) \\*/\\n  ${name}: `).exec(source) ?? []
    if (comment === undefined) throw new Error(`The filter ${name} has no comment in filters.ts`)
    const { parameters, takesMore } = parametersOf(name)
    const words = [name, ...parameters.map((each) => each.name.toUpperCase()), ...(takesMore ? ['...'] : [])]
    return [code(words.join(' ')), comment.replace(/\.$/, '')]
  })
  return `## Filters of templates\n\n${table(['filter', 'gives'], rows)}`
}
