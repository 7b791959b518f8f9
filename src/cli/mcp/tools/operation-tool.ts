import { search, segment } from '../../../client/call.js'
import type { ControlOperation } from '../../../control/operation.js'
import { CONTROL_OPERATIONS } from '../../../control/operations.js'
import { CONTROL_PATHS, type ControlId } from '../../../control/paths.js'
import { UsageError } from '../../../engine/errors.js'
import type { JsonObject } from '../../../engine/json.js'
import { jsonSchemaOf } from '../../../scenario/schema/json-schema.js'
import { type InputSchema, inputOf, type Tool, type ToolContext } from './tool.js'

interface Definition extends Pick<Tool, 'description' | 'effect'> {
  /** A short phrase for people; by default, the summary of the operation. */
  readonly title?: string
  /** Fields that every call has. */
  readonly fixed?: JsonObject
  /** Fields that the tool does not offer. */
  readonly omitted?: readonly string[]
  /** Selects what the model needs of the result. */
  readonly select?: (result: never) => unknown
  /** Called after a successful call. */
  readonly after?: (context: ToolContext) => void
}

/** Creates a tool from an operation of the control API, which also checks the values. */
export function operationTool(name: string, id: ControlId, definition: Definition): Tool {
  const operation = CONTROL_OPERATIONS.get(id)
  if (operation === undefined) throw new Error(`There is no control operation ${id}.`)
  const {
    title = operation.summary,
    description,
    effect,
    fixed = {},
    omitted = [],
    select,
    after,
  } = definition
  const [method = '', pattern = ''] = CONTROL_PATHS[id].split(' ')
  const params = Object.keys(operation.params ?? {})
  return {
    name,
    title,
    description,
    effect,
    operations: [id],
    input: inputSchemaOf(operation, [...omitted, ...Object.keys(fixed)]),
    async run(given, context) {
      checkPage(given)
      const fields = Object.entries({ ...given, ...fixed }).filter(([field]) => !params.includes(field))
      const rest = Object.fromEntries(fields)
      const path = pattern
        .replace('/_sim', '')
        .replaceAll(/\{(\w+)\}/g, (_, param: string) => segment(String(given[param])))
      const result = await (method === 'GET'
        ? context.session.call(method, path + search(rest))
        : context.session.call(method, path, rest))
      after?.(context)
      return select === undefined ? result : select(result as never)
    },
  }
}

/** @throws UsageError if a page would be too long for a model */
function checkPage({ limit }: JsonObject): void {
  if (limit !== undefined && Number(limit) > MAX_PAGE)
    throw new UsageError(
      `\`limit\` must be at most ${MAX_PAGE}; got ${limit}. Pass the \`next_cursor\` of a page as \`after\` to get the next one.`,
    )
}

/** The most items of a page: a model reads all of them. */
const MAX_PAGE = 50

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The arguments of an operation of the control API: its path parameters, its query and the fields of its body.
 * @param omitted the names of fields that the tool sets itself, or does not offer
 */
function inputSchemaOf(operation: ControlOperation, omitted: readonly string[] = []): InputSchema {
  const { params = {}, query, body } = operation
  const paths = Object.entries(params).map(([name, description]) => [name, { type: 'string', description }])
  const described = [query, body?.schema].flatMap((schema) =>
    schema === undefined ? [] : flat(jsonSchemaOf(schema) as JsonSchema),
  )
  const fields = [...paths, ...described.flatMap(({ properties }) => Object.entries(properties))]
  const offered = fields.filter(([name]) => !omitted.includes(String(name)))
  return inputOf(
    Object.fromEntries(offered.map(([name, schema]) => [name, simpler(String(name), schema as JsonSchema)])),
    [...Object.keys(params), ...described.flatMap(({ required }) => required)],
  )
}

interface Fields {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

/**
 * The fields of an object. For a union of objects, the fields of all of them, because not every model provider accepts a
 * union at the top level.
 */
function flat(schema: JsonSchema): Fields {
  const forms = schema['anyOf'] as readonly JsonSchema[] | undefined
  if (forms === undefined)
    return {
      properties: (schema['properties'] ?? {}) as Fields['properties'],
      required: (schema['required'] ?? []) as Fields['required'],
    }
  const all = forms.map(flat)
  return {
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: (all[0]?.required ?? []).filter((name) => all.every(({ required }) => required.includes(name))),
  }
}

/**
 * A parameter of a query as JSON: a boolean instead of its text, and smaller pages. Patterns are left out, because they
 * are long, some model providers reject lookarounds, and the control API checks the values.
 */
function simpler(name: string, schema: JsonSchema): JsonSchema {
  const plain = JSON.parse(JSON.stringify(schema, (key, value) => (key === 'pattern' ? undefined : value)))
  const { enum: words, ...rest } = plain as JsonSchema
  if (Array.isArray(words) && words.join() === 'true,false') return { ...rest, type: 'boolean' }
  return name === 'limit' ? { ...plain, maximum: MAX_PAGE } : plain
}
