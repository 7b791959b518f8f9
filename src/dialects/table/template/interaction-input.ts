import { asText, isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { given } from './chat-input.js'

/**
 * The input of a model from a request in the form of Google's Interactions: `system_instruction` and the contents and
 * steps of `input` become messages, the text of the last one of the user is also the `prompt`, and of the tools only
 * functions remain. The address of a sound is also the `audio_url` of a transcript.
 */
export function interactionInput(body: JsonValue): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined
  const { system_instruction: system, generation_config: config, response_format: format } = body
  const settings = isJsonObject(config) ? config : {}
  const turns = messagesIn(body['input'])
  const tools = functionsIn(body['tools'])
  return {
    messages: [...(typeof system === 'string' ? [{ role: 'system', content: system }] : []), ...turns],
    ...given('prompt', promptIn(turns)),
    ...given('audio_url', soundIn(turns)),
    ...given('tools', tools),
    ...given('tool_choice', tools === undefined ? undefined : choiceIn(settings['tool_choice'])),
    ...given('max_tokens', settings['max_output_tokens']),
    ...given('reasoning_effort', settings['thinking_level']),
    ...given('temperature', settings['temperature']),
    ...given('seed', settings['seed']),
    ...given('response_format', schemaIn(format)),
  }
}

/** An input is a text, a content, or a list of contents or of steps. */
function messagesIn(input: JsonValue | undefined): JsonObject[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const items = (Array.isArray(input) ? input : [input]).filter((item) => isJsonObject(item ?? null))
  const steps = items as JsonObject[]
  return steps.some(isContent) ? turnOf('user', steps) : steps.flatMap(messagesOfStep)
}

const CONTENTS: readonly JsonValue[] = ['text', 'image', 'audio', 'video', 'document']

function isContent({ type = null }: JsonObject): boolean {
  return CONTENTS.includes(type)
}

function messagesOfStep(step: JsonObject): JsonObject[] {
  const { type, content, id = null, name = null } = step
  const contents = Array.isArray(content) ? content.filter(isJsonObject) : []
  switch (type) {
    case 'user_input':
      return turnOf('user', contents)
    case 'model_output':
      return turnOf('assistant', contents)
    case 'function_call': {
      const call = {
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(step['arguments'] ?? {}) },
      }
      return [{ role: 'assistant', content: null, tool_calls: [call] }]
    }
    case 'function_result':
      return [resultOf(step)]
    // The model does not read its own thoughts, or what its own tools did.
    default:
      return []
  }
}

/** The results of functions may be among the contents of a turn. */
function turnOf(role: string, contents: readonly JsonObject[]): JsonObject[] {
  const results = contents.filter(({ type }) => type === 'function_result')
  const parts = contents.filter(isContent)
  return [...results.map(resultOf), ...(parts.length === 0 ? [] : [{ role, content: parts }])]
}

function resultOf({ call_id: id = null, result = '' }: JsonObject): JsonObject {
  return { role: 'tool', tool_call_id: id, content: asText(result) }
}

function promptIn(messages: readonly JsonObject[]): string | undefined {
  const content = messages.findLast(({ role }) => role === 'user')?.['content']
  if (!Array.isArray(content)) return typeof content === 'string' ? content : undefined
  const texts = content.flatMap((part) => (isJsonObject(part) ? [part['text']] : []))
  return texts.filter((text) => typeof text === 'string').join('\n')
}

function soundIn(messages: readonly JsonObject[]): JsonValue | undefined {
  const parts = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(isJsonObject) : [],
  )
  return parts.find(({ type }) => type === 'audio')?.['uri']
}

function functionsIn(tools: JsonValue | undefined): JsonValue[] | undefined {
  const functions = Array.isArray(tools)
    ? tools.filter((tool) => isJsonObject(tool) && tool['type'] === 'function')
    : []
  return functions.length === 0 ? undefined : functions
}

/** Google's `any` asks for a call of any function; `allowed_tools` may name one. */
function choiceIn(choice: JsonValue | undefined): JsonValue | undefined {
  if (choice === 'any') return 'required'
  if (!isJsonObject(choice)) return choice === 'validated' ? 'auto' : choice
  const { allowed_tools: allowed } = choice
  const { mode, tools } = isJsonObject(allowed) ? allowed : {}
  const [name] = Array.isArray(tools) ? tools : []
  if (typeof name !== 'string') return 'auto'
  return mode === 'auto' || mode === 'none' ? mode : { type: 'function', function: { name } }
}

/** The JSON Schema of the reply, if the request has one. */
function schemaIn(format: JsonValue | undefined): JsonValue | undefined {
  const formats = (Array.isArray(format) ? format : [format]).filter((each) => isJsonObject(each ?? null))
  const { schema } = (formats as JsonObject[]).find((each) => isJsonObject(each['schema'] ?? null)) ?? {}
  return schema === undefined ? undefined : { type: 'json_schema', name: 'reply', schema }
}
