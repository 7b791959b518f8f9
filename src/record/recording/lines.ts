import { UsageError } from '../../engine/errors.js'
import type { JsonElement } from '../history/json-elements.js'

/** Characters. A longer line is a mistake: it would not fit into a string of the JavaScript engine. */
const LONGEST = 400_000_000

/** A line of a text, and whether it has its end: the last line of a recording that was interrupted may not. */
export interface Line extends JsonElement {
  readonly isWhole: boolean
}

/** Splits a text that arrives in pieces into lines. Empty lines are left out. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line, void, void> {
  let number = 1
  let parts: string[] = []
  let length = 0
  for await (const piece of pieces) {
    let from = 0
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      const line = { text: parts.join('') + piece.slice(from, end), line: number, isWhole: true }
      if (!isEmpty(line)) yield line
      parts = []
      length = 0
      number += 1
      from = end + 1
    }
    parts.push(piece.slice(from))
    length += piece.length - from
    if (length > LONGEST)
      throw new UsageError(
        `Line ${number} has more than ${LONGEST.toLocaleString('en')} characters. Check that the file is a recording.`,
      )
  }
  const rest = { text: parts.join(''), line: number, isWhole: false }
  if (!isEmpty(rest)) yield rest
}

function isEmpty({ text }: JsonElement): boolean {
  return /^\uFEFF?\s*$/.test(text)
}
