import { asText, type JsonObject, type JsonValue, valueAt } from '../engine/json.js'
import { FILE_MARK } from '../engine/tasks/task.js'
import { lastUserMessage } from './llm/conversation.js'

/** `{{input}}`, `{{input.a.0.b}}` or `{{last_user_message}}`. */
const REFERENCE = /\{\{\s*(input|last_user_message)(?:\.([^{}]+)|\s*)\}\}/g
const WHOLE = new RegExp(`^${REFERENCE.source}$`)

/** The maximum number of characters of JSON that one output takes from an input. */
const MAX_CHARACTERS = 10_000_000
/** The maximum number of characters that one text takes from an input. */
const MAX_IN_TEXT = 100_000

/**
 * Inserts parts of a task's input into a template. A text that is a single reference becomes the value itself, or null
 * if the input has no such value. In a longer text, a value is inserted as text: an object as JSON, a missing value as
 * nothing. References inside inserted values are not replaced.
 */
export function fillTemplate(template: JsonValue, input: JsonObject): JsonValue {
  return new Filling(input, MAX_CHARACTERS).fill(template)
}

/** Inserts parts of a task's input into a text. */
export function fillText(template: string, input: JsonObject): string {
  return new Filling(input, MAX_IN_TEXT).fillText(template)
}

class Filling {
  readonly #input: JsonObject
  #left: number

  constructor(input: JsonObject, most: number) {
    this.#input = input
    this.#left = most
  }

  fill(template: JsonValue): JsonValue {
    if (typeof template === 'string') return this.#fillString(template)
    if (typeof template !== 'object' || template === null) return template
    if (Array.isArray(template)) return template.map((inner) => this.fill(inner))
    return Object.fromEntries(Object.entries(template).map(([key, inner]) => [key, this.fill(inner)]))
  }

  fillText(template: string): string {
    const filled = template.replace(REFERENCE, (_, root: string, path?: string) => {
      const value = this.#lookUp(root, path)
      if (value === null) return ''
      const whole = asText(value)
      const text = whole.slice(0, Math.min(this.#left, MAX_IN_TEXT))
      this.#left -= text.length
      return text
    })
    // Only a scenario may insert the placeholder of a file. Clients must not be able to add files to an output.
    return filled === FILE_MARK && template !== FILE_MARK ? '' : filled
  }

  #fillString(template: string): JsonValue {
    const whole = WHOLE.exec(template)
    if (whole === null) return this.fillText(template)
    const value = this.#lookUp(whole[1] ?? '', whole[2])
    return this.#reserve(value) ? value : null
  }

  #lookUp(root: string, path: string | undefined): JsonValue {
    if (root === 'last_user_message') return path === undefined ? lastUserMessage(this.#input) : null
    return (path === undefined ? this.#input : valueAt(this.#input, path.trimEnd())) ?? null
  }

  /** Subtracts the size of a value from the characters left. @returns whether it fits */
  #reserve(value: JsonValue): boolean {
    if (value === FILE_MARK) return false
    this.#left -= typeof value === 'string' ? value.length + 2 : 8
    if (this.#left < 0) return false
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(([key, inner]) => {
      this.#left -= key.length
      return this.#reserve(inner)
    })
  }
}
