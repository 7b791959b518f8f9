import { estimateTokenCount, sliceByTokens } from 'tokenx'
import { type Awaitable, after } from '../../engine/awaitable.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { base62, Chance, type Random } from '../../engine/random.js'
import { Recent } from '../../engine/recent.js'
import type { ReplySettings } from '../../engine/scenario/reply.js'
import type { Usage } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import { fakerOn } from '../faker.js'
import { fillText } from '../template.js'
import { drawPhrase, loadVocabulary, pick, type Vocabulary } from '../vocabulary.js'
import { endsWithToolResult, lastUserMessage, textOfInput } from './conversation.js'
import { sample } from './json-schema/sample.js'
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
  const id = `call_${base62(random, 24)}`
  const sampled = isJsonObject(parameters) ? sample(parameters, { random, faker: faker() }) : {}
  // Arguments are an object, even if the schema has another type.
  const args = isJsonObject(sampled) ? sampled : {}
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

/** The estimate of a longer text extrapolates from its beginning, so that a huge input takes a limited time. */
const MEASURED = 200_000

/** Most words of a language are shorter, and occur again. */
const LONGEST_CACHED = 24
const counts = new Recent<string, number>(10_000)

/**
 * Estimates how many tokens a text has, without a vocabulary. For English prose, code and JSON, the estimate is within
 * about a tenth of what current chat models count.
 */
export function countTokens(text: string): number {
  const tokens = tokensOf(text.slice(0, MEASURED))
  return text.length <= MEASURED ? tokens : Math.round((tokens * text.length) / MEASURED)
}

/**
 * Cuts a text to its first `limit` tokens, by the same estimate. It never splits a character.
 * @returns the text itself if it is not longer
 */
export function firstTokens(text: string, limit: number): string {
  if (limit === Infinity || countTokens(text) <= limit) return text
  const beginning = text.slice(0, MEASURED)
  const tokens = tokensOf(beginning)
  if (tokens <= limit) return withoutHalf(text.slice(0, Math.floor((limit * MEASURED) / tokens)))
  const characters = [...sliceByTokens(beginning, 0, limit)]
  // The library rounds the cut to a character, so the last character may exceed the limit.
  while (tokensOf(characters.join('')) > limit) characters.pop()
  return characters.join('')
}

/** Adds up the words of a line, because a space has no tokens. A space after the end of a line may have one. */
function tokensOf(text: string): number {
  if (text.includes('\n')) return estimateTokenCount(text)
  let tokens = 0
  for (const word of text.split(' ')) tokens += tokensOfWord(word)
  return tokens
}

function tokensOfWord(word: string): number {
  if (word.length > LONGEST_CACHED) return estimateTokenCount(word)
  const known = counts.get(word)
  if (known !== undefined) return known
  const tokens = estimateTokenCount(word)
  counts.set(word, tokens)
  return tokens
}

/** A text without the half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '')
}

const MAX_WORDS = 12
const MAX_CHARACTERS = 100

/** The number of characters to search for the topic of a message. */
const SEARCHED_CHARACTERS = 1_000

const OPENINGS = [
  (topic: string) => `You asked about “${topic}”.`,
  (topic: string) => `On “${topic}”:`,
  (topic: string) => `Here is what I think of “${topic}”.`,
]

const SENTENCES: Range = { min: 2, max: 6 }
const WORDS: Range = { min: 3, max: 10 }

interface Range {
  readonly min: number
  readonly max: number
}

/**
 * Generates an answer: it quotes the question and continues with meaningless prose.
 * @returns a promise only the first time, when the words are loaded
 */
export function writeProse(question: string, random: Random): Awaitable<string> {
  return after(loadVocabulary(), (words) => proseOf(words, question, random))
}

/** Draws the second part as `lorem.paragraph` of faker does, which copies its list of words for each word. */
function proseOf(vocabulary: Vocabulary, question: string, random: Random): string {
  const topic = topicOf(question)
  const opening = pick(OPENINGS, random)
  const phrase = drawPhrase(vocabulary, random)
  const prose = `${phrase} ${repeat(SENTENCES, random, () => sentence(vocabulary.latin, random))}`
  return topic === '' ? prose : `${opening(topic)} ${prose}`
}

function sentence(words: readonly string[], random: Random): string {
  const text = repeat(WORDS, random, () => pick(words, random))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Joins a drawn number of texts. */
function repeat({ min, max }: Range, random: Random, next: () => string): string {
  const count = Math.floor(random.float() * (max - min + 1) + min)
  let text = next()
  for (let index = 1; index < count; index++) text += ` ${next()}`
  return text
}

/** Returns the first words of a message's first line, without punctuation at the end. */
export function topicOf(message: string): string {
  const [line = ''] = message.slice(0, SEARCHED_CHARACTERS).trim().split(/\n/, 1)
  const words = line.split(/\s+/).slice(0, MAX_WORDS).join(' ')
  // A split into characters takes longer than the rest, and most messages are short.
  const topic = words.length > MAX_CHARACTERS ? [...words].slice(0, MAX_CHARACTERS).join('') : words
  return topic.replace(/[\s.,:;!?…。！？]+$/u, '')
}
