import type { JsonObject, JsonValue } from '../json.js'

const MAX_CHARACTERS = 200
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A short description of an input: the prompt, the last message, or else the first text, up to 200 characters. */
export function promptOf(input: JsonObject): string {
  const { prompt, messages } = input
  if (typeof prompt === 'string') return beginningOf(prompt)
  const lastMessage = Array.isArray(messages) ? textOf(messages.at(-1)) : undefined
  return beginningOf(lastMessage ?? Object.values(input).find((value) => typeof value === 'string') ?? '')
}

/** The text of a message: its content, or the first text among the parts of its content. */
function textOf(message: JsonValue | undefined): string | undefined {
  const { content } = Object(message) as { content?: unknown }
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content
    .map((part) => (Object(part) as { text?: unknown }).text)
    .find((text) => typeof text === 'string')
}

/** Copies the beginning, because a slice of a string keeps the whole string in memory. */
function beginningOf(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : decoder.decode(encoder.encode(text.slice(0, MAX_CHARACTERS)))
}
