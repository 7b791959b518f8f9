import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { FilterName } from '../table/template/filters.js'

type Inverse = (value: JsonValue) => JsonValue

/** What a filter was applied to, by its result, for the filters that lose nothing that a request needs. */
export const INVERSES: { readonly [Name in FilterName]?: Inverse } = {
  without: (value) => value,
  // A value that the filter has produced passes it unchanged.
  map: (value) => value,
  chat: responseRequest,
}

/** The parameters that have the same name and form in the request. The filter reads no others. */
const SAME = ['temperature', 'tools', 'tool_choice'] as const

/** A request in the form of OpenAI's Responses, by the input of a language model. */
function responseRequest(input: JsonValue): JsonValue {
  if (!isJsonObject(input)) return input
  const { messages, max_tokens: limit, reasoning_effort: effort, response_format: format } = input
  const all = Array.isArray(messages) ? messages : []
  const [first, ...rest] = all
  const instructions = isJsonObject(first ?? null) ? instructionsIn(first as JsonObject) : undefined
  const same = SAME.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]))
  return {
    ...Object.fromEntries(same),
    ...(instructions !== undefined && { instructions }),
    input: itemsOf(instructions === undefined ? all : rest),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(format !== undefined && { text: { format } }),
  }
}

function instructionsIn({ role, content }: JsonObject): string | undefined {
  return role === 'system' && typeof content === 'string' ? content : undefined
}

/** One text of the user needs no list. */
function itemsOf(messages: readonly JsonValue[]): JsonValue {
  const [first] = messages
  if (messages.length === 1 && isJsonObject(first) && first['role'] === 'user') {
    const { content } = first
    if (typeof content === 'string') return content
  }
  return messages.flatMap(itemOf)
}

function itemOf(message: JsonValue): JsonValue[] {
  if (!isJsonObject(message)) return [message]
  const { role = null, content = null, tool_calls: calls, tool_call_id: id = null } = message
  if (role === 'tool') return [{ type: 'function_call_output', call_id: id, output: content }]
  if (Array.isArray(calls)) return calls.filter(isJsonObject).map(callOf)
  const part = role === 'assistant' ? 'output_text' : 'input_text'
  return [{ role, content: Array.isArray(content) ? content.map((each) => partOf(each, part)) : content }]
}

function callOf({ id = null, function: called = null }: JsonObject): JsonValue {
  return { type: 'function_call', call_id: id, ...(isJsonObject(called) && called) }
}

function partOf(part: JsonValue, type: string): JsonValue {
  return isJsonObject(part) && part['type'] === 'text' ? { ...part, type } : part
}
