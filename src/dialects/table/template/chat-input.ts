import { asText, isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'

/**
 * The input of a language model from a request in the form of OpenAI's Responses: `instructions` and the items of
 * `input` become messages, and only tools with a name, which are functions, remain. Values that fit no message stay, so
 * that the checks of the model report them.
 */
export function chatInput(body: JsonValue): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined
  const { instructions, max_output_tokens: limit, reasoning, temperature, text } = body
  const { effort } = isJsonObject(reasoning) ? reasoning : {}
  const tools = functionsIn(body['tools'])
  return {
    messages: [...systemMessage(instructions), ...messagesIn(body['input'])],
    ...given('tools', tools),
    ...given('tool_choice', tools === undefined ? undefined : choiceIn(body['tool_choice'])),
    ...given('max_tokens', limit),
    ...given('reasoning_effort', effort),
    ...given('temperature', temperature),
    ...given('response_format', formatIn(text)),
  }
}

const ID_LENGTH = 48

/** The items of an input, the last one first, as OpenAI lists them. Each gets an id from the number of items before it. */
export function inputItems(input: JsonValue, prefix: string): JsonObject[] {
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [{ role: 'user', content: input }]
  const listed = items.map((item, index) => {
    const id = `${prefix}${String(index).padStart(ID_LENGTH, '0')}`
    const { type = 'message' } = item
    return type === 'message' ? { id, type, status: 'completed', ...withParts(item) } : { ...item, id }
  })
  return listed.reverse()
}

function withParts(message: JsonObject): JsonObject {
  const { role, content = null } = message
  if (typeof content !== 'string') return message
  return {
    ...message,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }],
  }
}

/** A field, unless it has no value. */
export function given(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value }
}

function systemMessage(instructions: JsonValue | undefined): JsonObject[] {
  return typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
}

function messagesIn(input: JsonValue | undefined): JsonValue[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? input.flatMap(messageOf) : []
}

function messageOf(item: JsonValue): JsonValue[] {
  if (!isJsonObject(item)) return [item]
  const { type = 'message', role = null, content = null, call_id: id = null } = item
  switch (type) {
    case 'message':
      return [{ role, content: Array.isArray(content) ? content.map(partOf) : content }]
    case 'function_call': {
      const { name = null, arguments: text = '' } = item
      const call = { id, type: 'function', function: { name, arguments: text } }
      return [{ role: 'assistant', content: null, tool_calls: [call] }]
    }
    case 'function_call_output': {
      const { output = '' } = item
      return [{ role: 'tool', tool_call_id: id, content: asText(output) }]
    }
    // The model does not read its own reasoning, or references to items.
    default:
      return []
  }
}

const TEXTS: readonly JsonValue[] = ['input_text', 'output_text']

function partOf(part: JsonValue): JsonValue {
  return isJsonObject(part) && TEXTS.includes(part['type'] ?? null) ? { ...part, type: 'text' } : part
}

function functionsIn(tools: JsonValue | undefined): JsonValue[] | undefined {
  const functions = Array.isArray(tools) ? tools.filter((tool) => !isBuiltIn(tool)) : []
  return functions.length === 0 ? undefined : functions
}

/** Whether a tool is one of the service, such as `{ type: 'web_search' }`. */
function isBuiltIn(tool: JsonValue): boolean {
  return isJsonObject(tool) && typeof tool['type'] === 'string' && tool['type'] !== 'function'
}

/** The form of the reply, unless it is the usual text. */
function formatIn(text: JsonValue | undefined): JsonValue | undefined {
  const { format } = isJsonObject(text) ? text : {}
  return isJsonObject(format) && format['type'] === 'text' ? undefined : format
}

function choiceIn(choice: JsonValue | undefined): JsonValue | undefined {
  return choice !== undefined && isBuiltIn(choice) ? 'auto' : choice
}
