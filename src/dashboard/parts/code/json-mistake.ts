import type { PlacedMistake } from './code-mirror.js'

/** A mistake in a JSON text at its place: that in the message of a parse error, or the first line. */
export function jsonMistake(text: string, message: string): PlacedMistake {
  const [, offset] = /at position (\d+)/.exec(message) ?? []
  if (offset === undefined) return { message }
  const before = text.slice(0, Number(offset)).split('\n')
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
