import type { ReplySettings } from '../../scenario/model/reply.js'
import type { JsonObject } from '../json.js'
import type { Random } from '../random.js'
import { endsWithToolResult, lastUserMessage } from './conversation.js'
import { type Tool, toolChoiceIn, toolsIn } from './tools.js'

type Calls = NonNullable<ReplySettings['calls']>

/** How far a message is searched for the names of tools. */
const READ = 20_000

/**
 * The tool that the model calls, if it calls one. After a tool's result it answers with text, so that a loop of
 * calls ends. What the client demands goes before the scenario.
 * @param calls what the scenario says
 */
export function chooseTool(input: JsonObject, calls: Calls, random: Random): Tool | undefined {
  const tools = toolsIn(input)
  const choice = toolChoiceIn(input)
  if (tools.length === 0 || choice === 'none' || endsWithToolResult(input)) return undefined
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name)
  const scripted = typeof calls === 'object' ? tools.find(({ name }) => name === calls.tool) : undefined
  const named = scripted ?? mentioned(tools, lastUserMessage(input))
  if (choice === 'required' || calls === 'always') return named ?? tools[random.int(tools.length)]
  return calls === 'auto' ? named : scripted
}

function mentioned(tools: readonly Tool[], message: string): Tool | undefined {
  const text = message.slice(0, READ)
  return tools.find(({ name }) => text.includes(name))
}
