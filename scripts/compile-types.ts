/** The subset of JSON Schema in the schemas of scenarios and of the control API. */
interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

/** Handwritten types by the title of the schema. */
const HANDWRITTEN: Readonly<Record<string, string>> = {
  Duration: 'DurationText',
  ScenarioInput: 'ScenarioInput',
}

/**
 * Returns the types of a scenario in code, generated from its JSON Schema: an interface or a union for each schema
 * with a title, with the descriptions and defaults of the fields as doc comments.
 */
export function compileTypes(schema: object): string {
  const types = new Types()
  types.nameOf(schema as Schema, '')
  return [
    "import type { JsonValue } from '../engine/json.js'",
    "import type { DurationText } from '../engine/clock/durations.js'",
    ...types.declarations(),
  ].join('\n\n')
}

/**
 * Returns the types of the control API, generated from its schemas, with their descriptions as doc comments.
 * @param components the schemas by the names of their types
 * @param nameOf returns the type name of a component that a schema refers to
 */
export function compileShapes(
  components: Readonly<Record<string, object>>,
  nameOf: (component: string) => string,
): string {
  const types = new Types(nameOf)
  for (const [name, schema] of Object.entries(components)) types.declare(name, schema)
  return [
    "import type { JsonValue } from '../engine/json.js'",
    "import type { ScenarioInput } from '../scenario/scenario-input.generated.js'",
    ...types.declarations(),
  ].join('\n\n')
}

class Types {
  readonly #nameOfComponent: (component: string) => string
  readonly #declared = new Map<string, { doc: string; body: string }>()

  constructor(nameOfComponent: (component: string) => string = (component) => component) {
    this.#nameOfComponent = nameOfComponent
  }

  declare(name: string, schema: Schema): void {
    const { description = '' } = schema
    this.#declared.set(name, { doc: docOf(sentence(description)), body: this.#shapeOf(schema, name) })
  }

  declarations(): readonly string[] {
    return [...this.#declared].map(([name, { doc, body }]) => {
      const head = body.startsWith('{') ? `export interface ${name}` : `export type ${name} =`
      return `${doc}${head} ${body}`
    })
  }

  /**
   * Returns the type name of a schema with a title.
   * @param path the position of its first use in a scenario
   */
  nameOf(schema: Schema, path: string): string {
    const { title = '', description = '' } = schema
    const known = HANDWRITTEN[title]
    if (known !== undefined) return known
    const name = `${title}Input`
    const earlier = this.#declared.get(name)
    const doc =
      path === '' ? 'A scenario, as it is written.' : `${sentence(description)}\`${path}\` of a scenario.`
    // Reserves a position before the types that it refers to.
    if (earlier === undefined) this.#declared.set(name, { doc: docOf(doc), body: '' })
    const body = this.#shapeOf(schema, path)
    if (earlier !== undefined && earlier.body !== '' && earlier.body !== body)
      throw new Error(
        `Two schemas with the title ${title} differ; the second is at ${path}. Give each its own.`,
      )
    this.#declared.set(name, { doc: earlier?.doc ?? docOf(doc), body })
    return name
  }

  #typeOf(schema: Schema, path: string): string {
    return schema.title === undefined ? this.#shapeOf(schema, path) : this.nameOf(schema, path)
  }

  #shapeOf(schema: Schema, path: string): string {
    const { $ref, type, anyOf, items, prefixItems, properties, additionalProperties: values } = schema
    if ($ref !== undefined) return this.#nameOfComponent($ref.split('/').at(-1) ?? '')
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
    if (anyOf !== undefined)
      return [...new Set(anyOf.map((form) => `(${this.#typeOf(form, path)})`))].join(' | ')
    if (prefixItems !== undefined)
      return `readonly [${prefixItems.map((item) => this.#typeOf(item, path)).join(', ')}]`
    if (items !== undefined) return `readonly (${this.#typeOf(items, `${path}[]`)})[]`
    if (properties !== undefined) return this.#mappingOf(schema, path)
    if (typeof values === 'object') return `Readonly<Record<string, ${this.#typeOf(values, `${path}.*`)}>>`
    return [type ?? '']
      .flat()
      .map((word) => PLAIN[word] ?? unknownSchema(path))
      .join(' | ')
  }

  #mappingOf({ properties = {}, required = [], additionalProperties: others }: Schema, path: string): string {
    const fields = Object.entries(properties).map(([name, field]) => {
      const usual = field.default === undefined ? '' : `\n@default ${JSON.stringify(field.default)}`
      const type = this.#typeOf(field, path === '' ? name : `${path}.${name}`)
      const isRequired = required.includes(name)
      return `${docOf(`${sentence(field.description ?? '')}${usual}`)}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}`
    })
    if (typeof others !== 'object') return `{\n${fields.join('\n')}\n}`
    const types = [...Object.values(properties), others].map((field) => this.#typeOf(field, `${path}.*`))
    const index = `readonly [name: string]: ${[...new Set(types)].join(' | ')} | undefined`
    return `{\n${[...fields, `${docOf(sentence(others.description ?? ''))}${index}`].join('\n')}\n}`
  }
}

/** The TypeScript types of the JSON types. A schema without a type allows any JSON value. */
const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  '': 'JsonValue',
}

function unknownSchema(path: string): never {
  throw new Error(`There is no type for the schema at ${path}`)
}

function sentence(description: string): string {
  return description === '' ? '' : `${description.replace(/[.;]?$/, '.')} `
}

function docOf(text: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `/** ${text.trim()} */\n`
    : `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join('')} */\n`
}
