import type { Random } from '../random.js'
import type { JsonObject } from '../task/task.js'
import { endsWithToolResult, lastUserMessage } from './conversation.js'
import { type Tool, toolChoiceIn, toolsIn } from './tools.js'

/** How far a message is searched for the names of tools. */
const READ = 20_000

/**
 * The tool that the model calls, if it calls one. After a tool's result it answers with text, so that a loop of
 * calls ends. What the client demands goes before the scenario.
 * @param calls what the scenario says: auto, always, never, or the name of a tool
 */
export function chooseTool(input: JsonObject, calls: string, random: Random): Tool | undefined {
  const tools = toolsIn(input)
  const choice = toolChoiceIn(input)
  if (tools.length === 0 || choice === 'none' || endsWithToolResult(input)) return undefined
  if (typeof choice === 'object') return tools.find(({ name }) => name === choice.name)
  const named = tools.find(({ name }) => name === calls) ?? mentioned(tools, lastUserMessage(input))
  const isSought = choice === 'required' || calls === 'always'
  if (isSought) return named ?? tools[random.int(tools.length)]
  return calls === 'auto' || calls === named?.name ? named : undefined
}

function mentioned(tools: readonly Tool[], message: string): Tool | undefined {
  const text = message.slice(0, READ)
  return tools.find(({ name }) => text.includes(name))
}
