import { isJsonObject, type JsonObject, type JsonValue } from '../json.js'

/** A function that the client offers to call for the model. */
export interface Tool {
  readonly name: string
  /** The JSON Schema of its arguments; anything goes where undefined. */
  readonly parameters: JsonValue | undefined
}

/** What the client says of calls: the model decides, none, some tool, or the tool of a name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** The tools of an input, in either shape: under `function`, or flat. What is no tool is passed over. */
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

/** Reads `tool_choice`; undefined for what is none. */
export function toolChoiceIn({ tool_choice: choice }: JsonObject): ToolChoice | undefined {
  if (choice === undefined || choice === null) return 'auto'
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  const name = toolIn(choice)?.name
  return name === undefined ? undefined : { name }
}
