import { readFileSync } from 'node:fs'
import { dialectJsonSchema } from '../../src/cli/commands/schema.js'
import { CONTEXTS, type TemplateContext } from '../../src/dialects/language/template-check.js'
import { FILTERS, type FilterName, parametersOf } from '../../src/dialects/table/template/filters.js'
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
