import { yieldToEventLoop } from '../awaitable.js'
import { digestOf, digestSync, piecesOf } from '../digest.js'
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../json.js'
import { bytesOf } from '../memory/bytes-of.js'

/** What the engine needs to know of an input. */
export interface InputSummary {
  /** JSON with the keys of every object sorted, so that equal inputs have the same text; the digest of a long one. */
  readonly canonical: string
  /** How many bytes the input counts in the memory budget. */
  readonly inputBytes: number
  /** Whether the input may contain a directive. */
  readonly mentionsDirective: boolean
}

/** How a directive in a text of an input starts. */
export const DIRECTIVE_START = '[[sim'

/** The longest canonical text, in characters. A digest replaces a longer one. */
const LONGEST_CANONICAL = 65_536

/** Summarizes an input. It recurses, so the caller limits the depth of untrusted input. */
export function summarizeSync(input: JsonValue): InputSummary {
  const canonical = canonicalJson(input, textWithoutOrigin)
  return {
    canonical: canonical.length <= LONGEST_CANONICAL ? canonical : `sha256:${digestSync(canonical)}`,
    inputBytes: bytesOf(input),
    mentionsDirective: canonical.includes(DIRECTIVE_START),
  }
}

/**
 * The same for a large input: it yields to the event loop before and after each long field, and before each
 * piece of the digest.
 */
export async function summarizeInSteps(input: JsonValue): Promise<InputSummary> {
  const inputBytes = bytesOf(input)
  if (inputBytes > LONGEST_CANONICAL) await yieldToEventLoop()
  const canonical = await canonicalInSteps(input)
  if (canonical.length > LONGEST_CANONICAL) await yieldToEventLoop()
  const summary = { canonical, inputBytes, mentionsDirective: canonical.includes(DIRECTIVE_START) }
  if (canonical.length <= LONGEST_CANONICAL) return summary
  await yieldToEventLoop()
  return { ...summary, canonical: `sha256:${await digestOf(canonical)}` }
}

/** A dialect may put a text into several fields, so each long one is written once, and in turns of its own. */
async function canonicalInSteps(input: JsonValue): Promise<string> {
  if (!isJsonObject(input)) return canonicalJson(input, textWithoutOrigin)
  let long: { readonly value: JsonValue; readonly text: string } | undefined
  let fields = ''
  for (const name of Object.keys(input).sort()) {
    const value = input[name] ?? null
    const known = long?.value === value ? long.text : undefined
    const text = known ?? (await fieldInSteps(value))
    fields += `${fields === '' ? '' : ','}${JSON.stringify(name)}:${text}`
    if (known !== undefined || text.length <= LONGEST_CANONICAL) continue
    long = { value, text }
    await yieldToEventLoop()
  }
  return `{${fields}}`
}

async function fieldInSteps(value: JsonValue): Promise<string> {
  if (typeof value !== 'string' || value.length <= LONGEST_CANONICAL)
    return canonicalJson(value, textWithoutOrigin)
  let json = ''
  for (const piece of piecesOf(value)) {
    json += JSON.stringify(piece).slice(1, -1)
    await yieldToEventLoop()
  }
  return `"${json}"`
}

/** A signed URL of an upload. */
const UPLOAD_URL = /^https?:\/\/[^?#]*\/files\/(?:sb_[\w-]+\/)?(uploads\/[a-z0-9]{24}\/[^?#]*)\?expires=/
const LONGEST_URL = 4_000

/**
 * The JSON of a string. The URL of an upload is shortened: the port and the time of a run must not change the random
 * draws of the task.
 */
function textWithoutOrigin(text: string): string {
  const isUrl = text.startsWith('http') && text.length <= LONGEST_URL
  return JSON.stringify((isUrl ? UPLOAD_URL.exec(text)?.[1] : undefined) ?? text)
}

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
