import { after } from '../../engine/awaitable.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { Lazy } from '../../engine/lazy.js'
import { InputError } from '../../engine/tasks/kinds.js'
import type { KindDefinition } from '../kind.js'
import { ROLES } from './conversation.js'
import { toolChoiceIn, toolIn, toolsIn } from './tools.js'

const MAX_TEMPERATURE = 2
const MAX_TOOLS = 128
const LONGEST_EFFORT = 64
const CONVERSATION = 'a list of messages such as {"role": "user", "content": "Hello"}'
const LENIENCY = ' To accept a `prompt` instead, set `api.validation: lenient` in the scenario.'

/**
 * Checks the input of an LLM task. A parameter that is null counts as missing.
 * @param isLenient whether a text `prompt` may replace the messages
 * @throws InputError with the parameter
 */
function checkLlmInput(input: JsonObject, isLenient: boolean): void {
  checkMessages(input, isLenient)
  checkTools(input)
  check(
    input,
    'max_tokens',
    'a whole number from 1 up',
    (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  )
  check(input, 'temperature', `a number from 0 to ${MAX_TEMPERATURE}`, isTemperature)
  check(input, 'reasoning_effort', `a text of 1 to ${LONGEST_EFFORT} characters, such as low`, isEffort)
}

function checkMessages(input: JsonObject, isLenient: boolean): void {
  const messages = given(input, 'messages')
  if (messages === undefined) {
    const hasPrompt = typeof given(input, 'prompt') === 'string'
    if (hasPrompt && isLenient) return
    const hint = hasPrompt ? LENIENCY : ''
    throw new InputError('input.messages', undefined, CONVERSATION, { isMissing: true, hint })
  }
  if (!Array.isArray(messages) || messages.length === 0)
    throw new InputError('input.messages', messages, CONVERSATION)
  for (const [index, message] of messages.entries()) checkMessage(message, index)
}

function checkMessage(message: JsonValue, index: number): void {
  const flaw = flawOf(message)
  if (flaw === undefined) return
  const { field, expected, value } = flaw
  const path = `input.messages.${index}${field}`
  throw new InputError('input.messages', value, expected, { path })
}

interface Flaw {
  readonly field: string
  readonly expected: string
  readonly value: JsonValue | undefined
}

function flawOf(message: JsonValue): Flaw | undefined {
  if (!isJsonObject(message))
    return { field: '', expected: 'an object with `role` and `content`', value: message }
  const { role, content, tool_calls: calls } = message
  if (!ROLES.some((known) => known === role)) return { field: '.role', expected: oneOf(ROLES), value: role }
  if (calls !== undefined && calls !== null && !Array.isArray(calls))
    return { field: '.tool_calls', expected: 'a list of calls', value: calls }
  const mayBeEmpty = (content === undefined || content === null) && role === 'assistant'
  if (mayBeEmpty || typeof content === 'string') return undefined
  if (Array.isArray(content) && content.every(isPart)) return undefined
  return {
    field: '.content',
    expected: 'a text, or a list of parts such as {"type": "text", "text": "Hello"}',
    value: content,
  }
}

function isPart(part: JsonValue): boolean {
  if (!isJsonObject(part) || typeof part['type'] !== 'string') return false
  return part['type'] !== 'text' || typeof part['text'] === 'string'
}

function checkTools(input: JsonObject): void {
  const tools = given(input, 'tools')
  check(
    input,
    'tools',
    `a list of at most ${MAX_TOOLS} tools`,
    (value) => Array.isArray(value) && value.length <= MAX_TOOLS,
  )
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) checkTool(tool, index)
  check(
    input,
    'tool_choice',
    'none, auto, required, or {"type": "function", "function": {"name": "..."}} with the name of a given tool',
    () => isChoice(input),
  )
}

function checkTool(value: JsonValue, index: number): void {
  const path = `input.tools.${index}`
  const tool = toolIn(value)
  if (tool === undefined)
    throw new InputError(
      'input.tools',
      value,
      'a tool such as {"type": "function", "function": {"name": "...", "parameters": {...}}}',
      { path },
    )
  const { parameters } = tool
  if (parameters === undefined || parameters === null || isJsonObject(parameters)) return
  throw new InputError('input.tools', parameters, 'a JSON Schema object', { path: `${path}.parameters` })
}

function isChoice(input: JsonObject): boolean {
  const choice = toolChoiceIn(input)
  if (choice === undefined) return false
  if (typeof choice === 'string') return choice !== 'required' || toolsIn(input).length > 0
  return toolsIn(input).some(({ name }) => name === choice.name)
}

function isTemperature(value: JsonValue): boolean {
  return typeof value === 'number' && value >= 0 && value <= MAX_TEMPERATURE
}

function isEffort(value: JsonValue): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= LONGEST_EFFORT
}

function check(
  input: JsonObject,
  name: string,
  expected: string,
  isValid: (value: JsonValue) => boolean,
): void {
  const value = given(input, name)
  if (value !== undefined && !isValid(value)) throw new InputError(`input.${name}`, value, expected)
}

function given(input: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(input, name) ? (input[name] ?? undefined) : undefined
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`
}

/** Language models. The code that writes replies is loaded on first use. */
export const llm: KindDefinition<'llm'> = {
  name: 'llm',
  models: 'LLMs',
  pollInterval: 1_000,
  example: {
    model: 'example/chat',
    input: { messages: [{ role: 'user', content: 'Write a function that adds two numbers.' }] },
  },
  recognizes: (input) => Object.hasOwn(input, 'messages'),
  check: checkLlmInput,
  produce: (task) =>
    after(writer.get(), ({ reply }) =>
      after(reply(task), ({ output, usage, text }) => ({ result: { files: 0, output }, usage, text })),
    ),
}

const writer = new Lazy(() => import('./reply.js'))
