import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { parseShallow } from '../shallow-json.js'
import type { Span } from './view.js'
import { replaceFound } from './views.js'

/** A piece of a stream: milliseconds after the request, and the text. */
export type Piece = readonly [after: number, text: string]

const EVENT = /[\s\S]*?(?:\r?\n\r?\n|\r\r|$)/g
const LINE = /[^\n]*(?:\n|$)/g
const EVENT_END = /\r?\n\r?\n|\r\r/

/**
 * Cuts a stream into pieces that end with an event, or with a line if it has no events, because a secret may be in two
 * pieces. Each has the time at which its end arrived.
 */
export function atEvents(pieces: readonly Piece[]): Piece[] {
  const text = pieces.map(([, part]) => part).join('')
  const parts = (text.match(EVENT_END.test(text) ? EVENT : LINE) ?? []).filter((part) => part !== '')
  const timeAt = timesOf(pieces)
  const cut: [number, string][] = []
  let end = 0
  for (const part of parts) {
    end += part.length
    const time = timeAt(end)
    const last = cut.at(-1)
    if (last?.[0] === time) last[1] += part
    else cut.push([time, part])
  }
  return cut
}

/** Returns a function for the time of a number of characters; the numbers increase from call to call. */
function timesOf(pieces: readonly Piece[]): (end: number) => number {
  let index = 0
  let length = pieces[0]?.[1].length ?? 0
  return (end) => {
    while (length < end && index < pieces.length - 1) {
      index += 1
      length += pieces[index]?.[1].length ?? 0
    }
    return pieces[index]?.[0] ?? 0
  }
}

/** A line of an event: its start, such as `data: `, its value, and its end. */
const FIELD = /^((?:data|event|id|retry|): ?)?(.*?)(\r?)$/s

/**
 * Changes the values of the lines of events, and the lines of JSON Lines.
 * @param change receives JSON, or a text that is none
 */
export function mapLines(text: string, change: (value: string) => string): string {
  return withOneDataLine(text)
    .split('\n')
    .map((line) => {
      const [, start = '', value = '', end = ''] = FIELD.exec(line) ?? []
      return start.startsWith('data') || start === '' ? start + change(value) + end : line
    })
    .join('\n')
}

/** Joins the lines of data that together are one JSON text. */
function withOneDataLine(text: string): string {
  return text.replace(/(?:^data:[^\n]*\n){2,}/gm, (lines) => {
    const data = parseShallow(lines.replace(/^data: ?/gm, ''))
    return data === undefined ? lines : `data: ${JSON.stringify(data)}\n`
  })
}

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
  const byPath = new Map<string, Leaf[]>()
  const collected = contents.map((content) => mapTexts(content, '', (text, path) => add(byPath, text, path)))
  let isChanged = false
  for (const leaves of byPath.values()) {
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
    mapTexts(content, '', (text, path) => {
      const index = indexes.get(path) ?? 0
      indexes.set(path, index + 1)
      return byPath.get(path)?.[index]?.kept ?? text
    }),
  )
}

function add(byPath: Map<string, Leaf[]>, text: string, path: string): string {
  const leaves = byPath.get(path) ?? []
  const last = leaves.at(-1)
  leaves.push({ text, start: last === undefined ? 0 : last.start + last.text.length, kept: text })
  byPath.set(path, leaves)
  return text
}

/** Copies a value with other texts. */
function mapTexts(value: JsonValue, path: string, change: (text: string, path: string) => string): JsonValue {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, `${path}/${index}`, change))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, mapTexts(inner, `${path}/${name}`, change)]),
  )
}
