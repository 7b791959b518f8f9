import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { replaceFound } from './found.js'
import type { Span } from './views.js'

/** A text in one of several values. */
interface Leaf {
  readonly text: string
  /** Where it starts in the joined text. */
  readonly start: number
  /** What remains of it. */
  kept: string
}

/**
 * Removes secrets that are split between the events of a stream, such as those with the pieces of a text.
 * @param contents of the events
 * @param find finds secrets in the joined texts of a field
 */
export function withoutSplitSecrets(
  contents: readonly JsonValue[],
  find: (joined: string) => readonly Span[],
): readonly JsonValue[] {
  if (contents.length < 2) return contents
  const byPlace = new Map<string, Leaf[]>()
  const collected = contents.map((content) =>
    mapTexts(content, '', (text, place) => add(byPlace, text, place)),
  )
  let isChanged = false
  for (const leaves of byPlace.values()) {
    const joined = leaves.map(({ text }) => text).join('')
    for (const { start, end } of leaves.length < 2 ? [] : find(joined)) {
      const touched = leaves.filter((leaf) => leaf.start < end && leaf.start + leaf.text.length > start)
      if (touched.length < 2) continue
      isChanged = true
      for (const leaf of touched)
        leaf.kept = replaceFound(leaf.text, [
          { start: Math.max(0, start - leaf.start), end: Math.min(leaf.text.length, end - leaf.start) },
        ])
    }
  }
  if (!isChanged) return contents
  const indexes = new Map<string, number>()
  return collected.map((content) =>
    mapTexts(content, '', (text, place) => {
      const index = indexes.get(place) ?? 0
      indexes.set(place, index + 1)
      return byPlace.get(place)?.[index]?.kept ?? text
    }),
  )
}

function add(byPlace: Map<string, Leaf[]>, text: string, place: string): string {
  const leaves = byPlace.get(place) ?? []
  const last = leaves.at(-1)
  leaves.push({ text, start: last === undefined ? 0 : last.start + last.text.length, kept: text })
  byPlace.set(place, leaves)
  return text
}

/** Copies a value with other texts. */
function mapTexts(
  value: JsonValue,
  place: string,
  change: (text: string, place: string) => string,
): JsonValue {
  if (typeof value === 'string') return change(value, place)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, `${place}/${index}`, change))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, mapTexts(inner, `${place}/${name}`, change)]),
  )
}
