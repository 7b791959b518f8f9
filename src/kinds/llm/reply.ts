import { type Awaitable, after } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { Chance } from '../../engine/random.js'
import type { Usage } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { fillText } from '../template.js'
import { lastUserMessage, textOfInput } from './conversation.js'
import { writeProse } from './prose.js'
import { reasoningTokens } from './reasoning.js'
import { structuredText } from './structured-text.js'
import { countTokens, firstTokens } from './tokens.js'
import { callTool, chooseTool } from './tool-call.js'
import type { Tool } from './tools.js'

/** The output of an LLM task, and the tokens that it consumed. */
export interface Reply {
  readonly output: JsonObject
  readonly usage: Usage
  /** What the model writes piece by piece: the text of the message, or the arguments of its call as JSON. */
  readonly text: string
}

/** A message, its finish reason and its tokens. */
interface Answer {
  readonly message: JsonObject
  /** The text of the message, or the arguments of its call. */
  readonly text: string
  readonly reason: 'stop' | 'length' | 'tool_calls'
  readonly tokens: number
}

/**
 * Writes the reply of an LLM: a tool call if the scenario or the client asks for one, otherwise the scenario's text, the
 * JSON that the client asks for, or generated prose. The same task always gets the same reply. Reasoning and text together stay within `max_tokens`.
 * @returns a promise only if code must be loaded
 */
export function reply(task: Task): Awaitable<Reply> {
  const { input, plan } = task
  const chance = Chance.of(task.id)
  const limit = limitIn(input)
  const drawn = reasoningTokens(input, chance.stream('reasoning'))
  const reasoning = drawn === undefined ? undefined : Math.min(drawn, limit)
  return after(answer(task, chance, limit - (reasoning ?? 0)), ({ message, text, reason, tokens }) => {
    const inputTokens = countTokens(textOfInput(input))
    const outputTokens = tokens + (reasoning ?? 0)
    return {
      output: {
        message: { role: 'assistant', ...message },
        finish_reason: plan.reply?.finish_reason ?? reason,
        usage: {
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          total_tokens: inputTokens + outputTokens,
          ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
        },
      },
      usage: { inputTokens, outputTokens },
      text,
    }
  })
}

function answer({ input, plan }: Task, chance: Chance, limit: number): Awaitable<Answer> {
  const tool = chooseTool(input, plan.reply?.calls ?? 'auto', chance.stream('tool'))
  if (tool !== undefined) return callOf(tool, chance, limit)
  const written = plan.reply?.text === undefined ? writeText(input, chance) : fillText(plan.reply.text, input)
  return after(written, (whole) => {
    const text = firstTokens(whole, limit)
    const reason = text === whole ? 'stop' : 'length'
    return { message: { content: text }, text, reason, tokens: countTokens(text) }
  })
}

async function callOf(tool: Tool, chance: Chance, limit: number): Promise<Answer> {
  const call = await callTool(tool, chance.stream('arguments'))
  const tokens = countTokens(JSON.stringify(call['function']))
  // A truncated call would be useless, so a call that does not fit is omitted.
  if (tokens > limit) return { message: { content: '' }, text: '', reason: 'length', tokens: 0 }
  const message = { content: null, tool_calls: [{ ...call }] }
  return { message, text: call.function.arguments, reason: 'tool_calls', tokens }
}

function writeText(input: JsonObject, chance: Chance): Awaitable<string> {
  return (
    structuredText(input, chance.stream('json')) ?? writeProse(lastUserMessage(input), chance.stream('reply'))
  )
}

function limitIn({ max_tokens: limit }: JsonObject): number {
  return typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : Infinity
}
