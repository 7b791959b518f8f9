import type { JsonValue } from '../../../engine/json.js'
import type { DialectTable } from '../dialect-table.generated.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The words that a forgery replaces, and what with: a success becomes a failure, and any other end a success. */
export function swaps({ statuses, webhook }: DialectTable): ReadonlyMap<string, string> {
  const { succeeded, failed, canceled } = statuses
  const { events = {} } = webhook ?? {}
  const pairs = [
    [canceled.word, succeeded.word],
    [failed.word, succeeded.word],
    [succeeded.word, failed.word],
    [events.canceled?.name, events.succeeded?.name],
    [events.failed?.name, events.succeeded?.name],
    [events.succeeded?.name, events.failed?.name],
  ]
  return new Map(
    pairs.flatMap(([from, to]) => (from !== undefined && to !== undefined ? [[from, to] as const] : [])),
  )
}

/** Makes the body of a webhook claim something that is not true, so that only its signature shows the forgery. */
export function forge(body: Uint8Array, words: ReadonlyMap<string, string>): Uint8Array<ArrayBuffer> {
  const text = decoder.decode(body)
  const value: JsonValue = JSON.parse(text)
  const swapped = JSON.stringify(forged(value, words))
  return encoder.encode(swapped === text ? JSON.stringify(renamed(value)) : swapped)
}

/** Makes a body that names no end of the task claim the end of another task. */
function renamed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/[a-z0-9]{8,}/g, (word) => [...word].reverse().join(''))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(renamed)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renamed(inner)]))
}

/** Exchanges the words in a value. */
function forged(value: JsonValue, words: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return words.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => forged(inner, words))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, forged(inner, words)]))
}
