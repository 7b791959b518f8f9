import { type Awaitable, after } from '../../engine/awaitable.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { Chance, drawWord, type Random } from '../../engine/random.js'
import type { ReplySettings } from '../../engine/scenario/reply.js'
import type { Usage } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { fakerOn } from '../faker.js'
import { fillText } from '../template.js'
import { endsWithToolResult, lastUserMessage, textOfInput } from './conversation.js'
import { sample } from './json-schema/sample.js'
import { writeProse } from './prose.js'
import { countTokens, firstTokens } from './tokens.js'
import { type Tool, toolChoiceIn, toolsIn } from './tools.js'

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
 * JSON that the client asks for, or generated prose. The same task always gets the same reply. Reasoning and text
 * together stay within `max_tokens`.
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

/** The average number of reasoning tokens by effort. */
const EFFORTS: ReadonlyMap<unknown, number> = new Map([
  ['none', 0],
  ['minimal', 24],
  ['low', 160],
  ['medium', 640],
  ['high', 2_560],
  ['xhigh', 10_240],
])

/** The average for any other effort. The service does not specify the values. */
const DEFAULT_TOKENS = 640

/** Draws the number of reasoning tokens: 50% to 150% of the average for the effort. */
function reasoningTokens({ reasoning_effort: effort }: JsonObject, random: Random): number | undefined {
  if (typeof effort !== 'string') return undefined
  return Math.round((EFFORTS.get(effort) ?? DEFAULT_TOKENS) * (0.5 + random.float()))
}

/** The schema of an object of which the client asks for no more than that. */
const ANY_OBJECT = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }

/**
 * Writes a reply as the JSON that the client asks for in `response_format`: a value that fits its JSON Schema, or any
 * object.
 * @returns undefined if the client does not ask for JSON
 */
function structuredText(input: JsonObject, random: Random): Promise<string> | undefined {
  const schema = schemaIn(input)
  return schema === undefined ? undefined : writeSample(schema, random)
}

async function writeSample(schema: JsonValue, random: Random): Promise<string> {
  const faker = await fakerOn(random)
  return JSON.stringify(sample(schema, { random, faker: faker() }))
}

/** Reads the schema in either form: `{ type: 'json_schema', json_schema: { schema } }` or `{ type, schema }`. */
function schemaIn({ response_format: format }: JsonObject): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined
  const { type, schema, json_schema: nested } = format
  if (type === 'json_object') return ANY_OBJECT
  if (type !== 'json_schema') return undefined
  return (isJsonObject(nested) ? nested['schema'] : schema) ?? ANY_OBJECT
}

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
async function callTool({ name, parameters }: Tool, random: Random): Promise<ToolCall> {
  const faker = await fakerOn(random)
  const id = `call_${drawWord(random, 24)}`
  const sampled = isJsonObject(parameters) ? sample(parameters, { random, faker: faker() }) : {}
  // Arguments are an object, even if the schema has another type.
  const args = isJsonObject(sampled) ? sampled : {}
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}
