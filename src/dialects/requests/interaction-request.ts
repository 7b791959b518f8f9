import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../engine/json.js'

/** A request in the form of Google's Interactions, by the input of a model. */
export function interactionRequest(input: JsonValue): JsonValue {
  if (!isJsonObject(input)) return input
  const { messages, prompt, audio_url: sound, tools, tool_choice: choice, response_format: format } = input
  const all = Array.isArray(messages) ? messages.filter(isJsonObject) : []
  const system = all.find(({ role, content }) => role === 'system' && typeof content === 'string')?.[
    'content'
  ]
  const config = configOf(input)
  return {
    ...(system !== undefined && { system_instruction: system }),
    input: inputOf(
      all.filter(({ role }) => role !== 'system'),
      sound === undefined ? prompt : [{ type: 'audio', uri: sound }],
    ),
    ...(tools !== undefined && { tools }),
    ...(isJsonObject(format ?? null) && {
      response_format: { type: 'text', mime_type: 'application/json', ...schemaOf(format as JsonObject) },
    }),
    ...((choice !== undefined || Object.keys(config).length > 0) && {
      generation_config: { ...config, ...(choice !== undefined && { tool_choice: choiceOf(choice) }) },
    }),
  }
}

/** The names of parameters in `generation_config`, by those of the input. */
const CONFIG = {
  max_tokens: 'max_output_tokens',
  reasoning_effort: 'thinking_level',
  temperature: 'temperature',
  seed: 'seed',
} as const

function configOf(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(CONFIG).flatMap(([name, own]) => {
      const value = input[name]
      return value === undefined ? [] : [[own, value] as const]
    }),
  )
}

function schemaOf({ schema }: JsonObject): JsonObject {
  return schema === undefined ? {} : { schema }
}

/** One text of the user needs no list. */
function inputOf(messages: readonly JsonObject[], prompt: JsonValue | undefined): JsonValue {
  const [first] = messages
  if (first === undefined) return prompt ?? ''
  const isText = messages.length === 1 && first['role'] === 'user' && typeof first['content'] === 'string'
  return isText ? (first['content'] ?? '') : messages.flatMap(stepsOf)
}

function stepsOf({
  role,
  content = null,
  tool_calls: calls,
  tool_call_id: id = null,
}: JsonObject): JsonObject[] {
  if (role === 'tool') return [{ type: 'function_result', call_id: id, result: content }]
  if (Array.isArray(calls)) return calls.filter(isJsonObject).map(callOf)
  const contents = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return [{ type: role === 'assistant' ? 'model_output' : 'user_input', content: contents }]
}

function callOf({ id = null, function: called = null }: JsonObject): JsonObject {
  const { name = null, arguments: text = '{}' } = isJsonObject(called) ? called : {}
  return { type: 'function_call', id, name, arguments: parseJson(String(text)) ?? {} }
}

function choiceOf(choice: JsonValue): JsonValue {
  if (!isJsonObject(choice)) return choice === 'required' ? 'any' : choice
  const { function: called = null } = choice
  const { name = null } = isJsonObject(called) ? called : {}
  return { allowed_tools: { mode: 'validated', tools: [name] } }
}
