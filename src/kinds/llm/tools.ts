import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'

/** A function that the model may call. */
export interface Tool {
  readonly name: string
  /** The JSON Schema of its arguments; undefined for any arguments. */
  readonly parameters: JsonValue | undefined
}

/** Whether the model calls a tool: `auto` leaves the decision to the model, `required` asks for any tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** Returns the tools of an input in either form, see {@link toolIn}. Skips invalid tools. */
export function toolsIn({ tools }: JsonObject): Tool[] {
  return Array.isArray(tools) ? tools.map(toolIn).filter((tool) => tool !== undefined) : []
}

/** Reads one tool: `{ type: 'function', function: { name, parameters } }` or `{ name, parameters | input_schema }`. */
export function toolIn(value: JsonValue): Tool | undefined {
  if (!isJsonObject(value)) return undefined
  const {
    name,
    parameters,
    input_schema: schema,
  } = isJsonObject(value['function']) ? value['function'] : value
  return typeof name === 'string' && name !== '' ? { name, parameters: parameters ?? schema } : undefined
}

/** Reads `tool_choice`. Returns undefined if it is not valid. */
export function toolChoiceIn({ tool_choice: choice }: JsonObject): ToolChoice | undefined {
  if (choice === undefined || choice === null) return 'auto'
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const name = toolIn(choice)?.name
  return name === undefined ? undefined : { name }
}
