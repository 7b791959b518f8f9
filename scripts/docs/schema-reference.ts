import { anchorOf, code, page, table } from './markdown.js'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
}

/** Generates the reference of every field of a file, from its JSON Schema: one table for each mapping, then further texts. */
export function schemaReference(
  title: string,
  introduction: string,
  schema: object,
  ...texts: readonly string[]
): string {
  const sections = new Sections()
  sections.add('The file', schema as Schema)
  return page(title, introduction, ...sections.texts, ...texts)
}

/** The tables of the mappings, in the order of the schema. Identical mappings share a table. */
class Sections {
  readonly #titles = new Map<string, string>()
  readonly #texts: string[] = []

  add(title: string, schema: Schema): string {
    const identity = JSON.stringify({ ...schema, description: undefined, default: undefined })
    const known = this.#titles.get(identity)
    if (known !== undefined) return known
    this.#titles.set(identity, title)
    const place = this.#texts.push('') - 1
    const prefix = title === 'The file' ? '' : `${title}.`
    const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
      code(name),
      `${this.#typeOf(field, prefix + name)}${schema.required?.includes(name) ? ', **required**' : ''}`,
      field.default === undefined ? '' : code(JSON.stringify(field.default)),
      field.description ?? '',
    ])
    const { additionalProperties: others } = schema
    if (typeof others === 'object' && schema.properties !== undefined)
      rows.push(['any other name', this.#typeOf(others, `${prefix}NAME`), '', others.description ?? ''])
    const heading = title === 'The file' ? `## ${title}` : `## ${code(title)}`
    this.#texts[place] = `${heading}\n\n${table(['field', 'type', 'default', ''], rows)}`
    return title
  }

  get texts(): readonly string[] {
    return this.#texts
  }

  #typeOf(schema: Schema, way: string): string {
    const { type, anyOf, items, properties, additionalProperties: values } = schema
    if (schema.const !== undefined) return code(JSON.stringify(schema.const))
    if (schema.enum !== undefined) return schema.enum.map((word) => code(String(word))).join(', ')
    if (anyOf !== undefined) return this.#formsOf(anyOf, way)
    if (items !== undefined) return `list of ${this.#typeOf(items, `${way}[]`)}`
    if (properties !== undefined) return this.#link(way, schema)
    if (typeof values === 'object') return `mapping of names to ${this.#typeOf(values, `${way}.*`)}`
    if (type === 'object') return 'mapping'
    return type === undefined ? 'anything' : plain(schema)
  }

  #formsOf(forms: readonly Schema[], way: string): string {
    const mappings = forms.filter(({ properties }) => properties !== undefined)
    const isAlone = mappings.length === 1
    const words = forms.map((form) => {
      const index = mappings.indexOf(form)
      return this.#typeOf(form, index < 0 || isAlone ? way : `${way} (${nameOf(form) ?? index + 1})`)
    })
    return [...new Set(words)].join(', or ')
  }

  #link(way: string, schema: Schema): string {
    const title = this.add(way, schema)
    return `[${code(title)}](#${anchorOf(title)})`
  }
}

/** The action that a form describes, if its field `action` decides the other fields. */
function nameOf({ properties }: Schema): unknown {
  return properties?.['action']?.const
}

function plain({ type, examples, minimum, exclusiveMinimum, maximum }: Schema): string {
  if (type === 'string') return examples?.includes('250ms') ? 'duration' : 'text'
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'null') return '`null`'
  const name = type === 'integer' ? 'whole number' : 'number'
  const low = minimum ?? exclusiveMinimum
  if (low === undefined || low <= -Number.MAX_SAFE_INTEGER) return name
  const isOpen = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
  return `${name} ${minimum === undefined ? 'above' : 'from'} ${low}${isOpen ? (minimum === undefined ? '' : ' up') : ` to ${maximum}`}`
}
