import type { Awaitable } from '../awaitable.js'
import { digestOf, digestSync } from '../digest.js'
import { mentionsDirective } from '../directive/find-directive.js'
import type { JsonObject, JsonValue } from '../json.js'
import { JsonBytes } from '../memory/json-bytes.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'

/** The result of one walk over an input. */
export interface InputSurvey {
  /** JSON with the keys of every object sorted, so that equal inputs have the same text. */
  readonly canonical: string
  /** An estimate of the heap that the parsed input retains, in bytes. */
  readonly inputBytes: number
  /** Whether any text contains the beginning of a directive. */
  readonly mentionsDirective: boolean
}

/** The longest canonical text, in characters. A digest replaces a longer one. */
const LONGEST_CANONICAL = 65_536

/** Replaces a long canonical text with its digest. */
export function shortened(survey: InputSurvey): Awaitable<InputSurvey> {
  return survey.canonical.length <= LONGEST_CANONICAL ? survey : withDigest(survey)
}

async function withDigest(survey: InputSurvey): Promise<InputSurvey> {
  // The first access to a concatenated text copies it.
  await yieldToEventLoop()
  return { ...survey, canonical: `sha256:${await digestOf(survey.canonical)}` }
}

/** Surveys an input synchronously. */
export function surveySync(input: JsonValue): InputSurvey {
  const survey = surveyInput(input)
  if (survey.canonical.length <= LONGEST_CANONICAL) return survey
  return { ...survey, canonical: `sha256:${digestSync(survey.canonical)}` }
}

/** Walks an input once. The walk recurses, so the caller limits the depth of untrusted input. */
export function surveyInput(input: JsonValue): InputSurvey {
  const walk = new Walk()
  const canonical = walk.textOf(input)
  return { canonical, inputBytes: walk.retained.total, mentionsDirective: walk.mentionsDirective }
}

/** Concatenates texts instead of joining them: `join` would copy a long text once per level. */
class Walk {
  readonly retained = new JsonBytes()
  mentionsDirective = false
  /** The last long value and its text: a dialect may give an input the same one under two names. */
  #long: { readonly value: JsonValue; readonly text: string } | undefined

  textOf(value: JsonValue): string {
    if (typeof value === 'string') return this.#textOfString(value)
    if (typeof value === 'number') this.retained.addNumber(value)
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    return Array.isArray(value) ? this.#textOfArray(value) : this.#textOfObject(value)
  }

  #textOfString(value: string): string {
    this.retained.addString(value)
    this.mentionsDirective ||= mentionsDirective(value)
    return JSON.stringify(withoutOrigin(value))
  }

  #textOfArray(items: readonly JsonValue[]): string {
    this.retained.addArray(items)
    // An array that contains only numbers stores them in its slots.
    if (items.every(isNumber)) return JSON.stringify(items)
    let text = ''
    for (const item of items) text += text === '' ? this.textOf(item) : `,${this.textOf(item)}`
    return `[${text}]`
  }

  #textOfObject(value: JsonObject): string {
    const names = Object.keys(value).sort()
    this.retained.addObject(names)
    let text = ''
    for (const name of names) {
      const field = `${quoted(name)}:${this.#fieldOf(value[name] as JsonValue)}`
      text += text === '' ? field : `,${field}`
    }
    return `{${text}}`
  }

  #fieldOf(value: JsonValue): string {
    if (this.#long?.value === value) return this.#long.text
    const text = this.textOf(value)
    if (text.length > LONGEST_CANONICAL) this.#long = { value, text }
    return text
  }
}

const PLAIN = /^[ !#-[\]-~]*$/

/** The JSON of a name. For the usual one, this takes a third of the time. */
function quoted(name: string): string {
  return PLAIN.test(name) ? `"${name}"` : JSON.stringify(name)
}

/** A signed URL of an upload. */
const UPLOAD_URL = /^https?:\/\/[^?#]*\/files\/(?:sb_[\w-]+\/)?(uploads\/[a-z0-9]{24}\/[^?#]*)\?expires=/
const LONGEST_URL = 4_000

/** Shortens the URL of an upload: the port and the time of a run must not change the random draws of the task. */
function withoutOrigin(text: string): string {
  if (!text.startsWith('http') || text.length > LONGEST_URL) return text
  return UPLOAD_URL.exec(text)?.[1] ?? text
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number'
}
