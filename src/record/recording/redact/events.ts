import { parseShallow } from '../shallow-json.js'

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
