import type { JsonObject, JsonValue } from '../json.js'

const MOST_CHARACTERS = 200
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What was asked for, shortened: the prompt, what was said last, or else the first text in the input. */
export function promptOf(input: JsonObject): string {
  const { prompt, messages } = input
  if (typeof prompt === 'string') return beginningOf(prompt)
  const said = Array.isArray(messages) ? textOf(messages.at(-1)) : undefined
  return beginningOf(said ?? Object.values(input).find((value) => typeof value === 'string') ?? '')
}

/** The text of a message, whose content is a text or a list of parts. */
function textOf(message: JsonValue | undefined): string | undefined {
  const { content } = Object(message) as { content?: unknown }
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return content
    .map((part) => (Object(part) as { text?: unknown }).text)
    .find((text) => typeof text === 'string')
}

/** A part of a string keeps all of it in memory; so a long text is copied. */
function beginningOf(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : decoder.decode(encoder.encode(text.slice(0, MOST_CHARACTERS)))
}
