import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { json, jsonObject } from '../src/scenario/schema/forms.js'

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
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

/** Returns the JSON Schema of files after the conversions of their schema. */
export function outputSchemaOf(schema: v.GenericSchema): object {
  return toJsonSchema(schema, {
    ignoreActions: ['check', 'raw_check', 'finite'],
    overrideSchema: ({ valibotSchema }) =>
      valibotSchema === json
        ? {}
        : (valibotSchema as unknown) === jsonObject
          ? { title: 'JsonObject' }
          : undefined,
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if ('to' in valibotAction) return outputSchemaOf(valibotAction.to as v.GenericSchema)
      return ['transform', 'raw_transform'].includes(valibotAction.type) ? jsonSchema : undefined
    },
  })
}

/** What to generate from a schema of files. */
interface Generated {
  /** The name of the type of a whole file, and its doc comment. */
  readonly root: readonly [name: string, doc: string]
  /** What the files are, for doc comments that name the place of a part. */
  readonly noun?: string
  /** Added to the titles of the schemas of its parts. */
  readonly suffix?: string
  /** Types that are not generated, by the title of the schema. */
  readonly known: Readonly<Record<string, string>>
  /** Whether mappings are aliases, not interfaces, so that code can go through their fields. */
  readonly areAliases?: boolean
  /** The modules of types that the generated ones refer to. */
  readonly imports: Readonly<Record<string, string>>
}

/**
 * Returns the types of files, generated from their schema: an interface or a union for each part with a title, with the
 * descriptions and defaults of the fields as doc comments.
 */
export function compileTypes(
  schema: object,
  { root: [name, doc], noun, suffix, known, areAliases, imports }: Generated,
): string {
  const types = new Types({ known, noun, suffix, areAliases })
  types.declare(name, schema as Schema, doc)
  return [
    ...Object.entries(imports).map(([type, module]) => `import type { ${type} } from '${module}'`),
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
  const types = new Types({ known: { ScenarioInput: 'ScenarioInput' }, nameOf })
  for (const [name, schema] of Object.entries(components)) types.declare(name, schema)
  return [
    "import type { JsonValue } from '../engine/json.js'",
    "import type { ScenarioInput } from '../scenario/scenario-input.generated.js'",
    ...types.declarations(),
  ].join('\n\n')
}

interface Names {
  /** Types that are not generated, by the title of the schema. */
  readonly known: Readonly<Record<string, string>>
  readonly areAliases?: boolean | undefined
  /** What the schema describes, and the end of the names of the types of its parts. */
  readonly noun?: string | undefined
  readonly suffix?: string | undefined
  /** Returns the type name of a component that a schema refers to. */
  readonly nameOf?: (component: string) => string
}

interface Declared {
  readonly doc: string
  readonly body: string
  /** The fields of an interface. */
  readonly fields: readonly string[] | undefined
}

/** An interface with fewer fields is not worth a name of its own as the base of others. */
const FIELDS_OF_BASE = 4

class Types {
  readonly #names: Names
  readonly #declared = new Map<string, Declared>()

  constructor(names: Names) {
    this.#names = names
  }

  declare(name: string, schema: Schema, doc = sentence(schema.description ?? ''), path = ''): void {
    const earlier = this.#declared.get(name)
    // Reserves a position before the types that it refers to.
    this.#declared.set(name, earlier ?? { doc: '', body: '', fields: undefined })
    const isInterface = schema.properties !== undefined && this.#names.areAliases !== true
    const fields = isInterface ? this.#fieldsOf(schema, path) : undefined
    const body = fields === undefined ? this.#shapeOf(schema, path) : inBraces(fields)
    if (earlier !== undefined && earlier.body !== '' && earlier.body !== body)
      throw new Error(
        `Two schemas with the type name ${name} differ; the second is at ${path}. Give each its own title.`,
      )
    this.#declared.set(name, { doc: earlier?.doc || docOf(doc), body, fields })
  }

  declarations(): readonly string[] {
    return [...this.#declared].map(([name, { doc, body, fields }]) => {
      if (fields === undefined) return `${doc}export type ${name} = ${body}`
      const [base, inherited = []] = this.#baseOf(name, fields)
      const own = fields.filter((field) => !inherited.includes(field))
      return `${doc}export interface ${name} ${base === undefined ? '' : `extends ${base} `}${inBraces(own)}`
    })
  }

  /** The largest interface all of whose fields are among some fields, and its fields. */
  #baseOf(name: string, fields: readonly string[]): [base?: string, inherited?: readonly string[]] {
    let best: [string, readonly string[]] | undefined
    for (const [other, { fields: theirs = [] }] of this.#declared) {
      if (other === name || theirs.length < Math.max(FIELDS_OF_BASE, best?.[1].length ?? 0)) continue
      if (theirs.length < fields.length && theirs.every((field) => fields.includes(field)))
        best = [other, theirs]
    }
    return best ?? []
  }

  /**
   * Returns the type name of a schema with a title.
   * @param path the position of its first use
   */
  #named({ title = '', ...schema }: Schema, path: string): string {
    const { known, noun, suffix = '' } = this.#names
    if (known[title] !== undefined) return known[title]
    const name = `${title}${suffix}`
    const place = noun === undefined ? '' : `\`${path}\` of ${noun}.`
    this.declare(name, schema, sentence(schema.description ?? '') + place, path)
    return name
  }

  #typeOf(schema: Schema, path: string): string {
    return schema.title === undefined ? this.#shapeOf(schema, path) : this.#named(schema, path)
  }

  #shapeOf(schema: Schema, path: string): string {
    const { $ref, type, anyOf, allOf, items, prefixItems, properties, additionalProperties: values } = schema
    if ($ref !== undefined) return this.#names.nameOf?.($ref.split('/').at(-1) ?? '') ?? unknownSchema(path)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
    if (anyOf !== undefined)
      return joined(
        anyOf.map((form) => this.#typeOf(form, path)),
        ' | ',
      )
    if (allOf !== undefined)
      return joined(
        allOf.map((part) => this.#typeOf(part, path)),
        ' & ',
      )
    if (prefixItems !== undefined)
      return `readonly [${prefixItems.map((item) => this.#typeOf(item, path)).join(', ')}]`
    if (items !== undefined) return `readonly ${inParentheses(this.#typeOf(items, `${path}[]`))}[]`
    if (properties !== undefined) return inBraces(this.#fieldsOf(schema, path))
    if (typeof values === 'object') return `Readonly<Record<string, ${this.#typeOf(values, `${path}.*`)}>>`
    return [type ?? '']
      .flat()
      .map((word) => PLAIN[word] ?? unknownSchema(path))
      .join(' | ')
  }

  #fieldsOf(
    { properties = {}, required = [], additionalProperties: others }: Schema,
    path: string,
  ): string[] {
    const fields = Object.entries(properties).map(([name, field]) => {
      const usual = field.default === undefined ? '' : `\n@default ${JSON.stringify(field.default)}`
      const type = this.#typeOf(field, path === '' ? name : `${path}.${name}`)
      const isRequired = required.includes(name)
      return `${docOf(`${sentence(field.description ?? '')}${usual}`)}readonly ${name}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}`
    })
    if (typeof others !== 'object') return fields
    const types = [...Object.values(properties), others].map((field) => this.#typeOf(field, `${path}.*`))
    const index = `readonly [name: string]: ${[...new Set(types)].join(' | ')} | undefined`
    return [...fields, `${docOf(sentence(others.description ?? ''))}${index}`]
  }
}

function inBraces(fields: readonly string[]): string {
  return `{\n${fields.join('\n')}\n}`
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

function joined(types: readonly string[], operator: string): string {
  const different = [...new Set(types)]
  return different.length === 1 ? different.join('') : different.map(inParentheses).join(operator)
}

function inParentheses(type: string): string {
  return /^\w+$/.test(type) ? type : `(${type})`
}

function unknownSchema(path: string): never {
  throw new Error(`There is no type for the schema at ${path}`)
}

function sentence(description: string): string {
  return description === '' ? '' : `${description.replace(/[.;]?$/, '.')} `
}

function docOf(text: string): string {
  if (text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  return lines.length === 1
    ? `/** ${text.trim()} */\n`
    : `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join('')} */\n`
}
