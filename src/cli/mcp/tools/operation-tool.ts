import { search, segment } from '../../../client/call.js'
import { CONTROL_OPERATIONS } from '../../../control/operations.js'
import { CONTROL_PATHS, type ControlId } from '../../../control/paths.js'
import { UsageError } from '../../../engine/errors.js'
import type { JsonObject } from '../../../engine/json.js'
import { inputSchemaOf, MAX_PAGE } from './input-schema.js'
import type { Tool, ToolContext } from './tool.js'

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
