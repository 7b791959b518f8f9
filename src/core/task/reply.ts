import { Chance, type Random } from '../random.js'
import type { Usage } from './pricing.js'
import type { JsonObject, JsonValue, Task } from './task.js'
import { countTokens, firstTokens } from './tokens.js'

/** The output of an LLM task, and the tokens that it is billed by. */
export interface Reply {
  readonly output: JsonObject
  readonly usage: Usage
}

/** Writes an LLM's answer: made-up prose, always the same for the same task, no longer than `max_tokens`. */
export async function reply(task: Task): Promise<Reply> {
  const write = await writer()
  const whole = write(Chance.of(task.id).stream('reply'))
  const limit = limitIn(task.input)
  const text = limit === undefined ? whole : await firstTokens(whole, limit)
  const inputTokens = await countTokens(promptOf(task.input))
  const outputTokens = await countTokens(text)
  return {
    output: {
      message: { role: 'assistant', content: text },
      finish_reason: text === whole ? 'stop' : 'length',
      usage: {
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    },
    usage: { inputTokens, outputTokens },
  }
}

type Write = (stream: Random) => string
let loaded: Promise<Write> | undefined

/** Loads faker with the first reply. One instance serves all: making one costs as much as a page of prose. */
function writer(): Promise<Write> {
  loaded ??= import('@faker-js/faker').then(({ Faker, base, en }) => {
    let current: Random | undefined
    const next = () => current?.float() ?? 0
    const faker = new Faker({ locale: [en, base], randomizer: { next, seed: () => {} } })
    return (stream) => {
      current = stream
      return `${faker.hacker.phrase()} ${faker.lorem.paragraph({ min: 2, max: 6 })}`
    }
  })
  return loaded
}

function limitIn(input: JsonObject): number | undefined {
  const limit = input['max_tokens']
  return typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : undefined
}

/** All text that the model gets to read. */
function promptOf(input: JsonObject): string {
  const { messages, prompt, tools } = input
  const parts = Array.isArray(messages) ? messages.map(textOf) : []
  if (typeof prompt === 'string') parts.push(prompt)
  if (tools !== undefined) parts.push(JSON.stringify(tools))
  return parts.join('\n')
}

function textOf(message: JsonValue): string {
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return JSON.stringify(message)
  const { content } = message
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
