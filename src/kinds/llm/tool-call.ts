import { isJsonObject, type JsonObject } from '../../engine/json.js'
import { base62, type Random } from '../../engine/random.js'
import type { ReplySettings } from '../../scenario/model/reply.js'
import { fakerOn } from '../faker.js'
import { endsWithToolResult, lastUserMessage } from './conversation.js'
import { sample } from './json-schema/sample.js'
import { type Tool, toolChoiceIn, toolsIn } from './tools.js'

type Calls = NonNullable<ReplySettings['calls']>

/** The number of characters of a message to search for the names of tools. */
const MAX_SEARCHED = 20_000

/**
 * Chooses the tool that the model calls, if any. `tool_choice` overrides the scenario. The model answers a tool result
 * with text, so that a loop of calls comes to an end.
 * @param calls the setting of the scenario
 */
export function chooseTool(input: JsonObject, calls: Calls, random: Random): Tool | undefined {
  const tools = toolsIn(input)
  const choice = toolChoiceIn(input)
  if (tools.length === 0 || choice === 'none' || endsWithToolResult(input)) return undefined
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name)
  const scripted = typeof calls === 'object' ? tools.find(({ name }) => name === calls.tool) : undefined
  const named = scripted ?? mentionedTool(tools, lastUserMessage(input))
  if (choice === 'required' || calls === 'always') return named ?? tools[random.int(tools.length)]
  return calls === 'auto' ? named : scripted
}

function mentionedTool(tools: readonly Tool[], message: string): Tool | undefined {
  const text = message.slice(0, MAX_SEARCHED)
  return tools.find(({ name }) => text.includes(name))
}

/** A call of a tool; its arguments are JSON. */
type ToolCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** Writes the call of a tool, with arguments that match the tool's schema. */
export async function callTool({ name, parameters }: Tool, random: Random): Promise<ToolCall> {
  const faker = await fakerOn(random)
  const id = `call_${base62(random, 24)}`
  const sampled = isJsonObject(parameters) ? sample(parameters, { random, faker: faker() }) : {}
  // Arguments are an object, even if the schema has another type.
  const args = isJsonObject(sampled) ? sampled : {}
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}
