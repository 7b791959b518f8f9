/** A mistake at its place: a line and a column, both counted from 1. */
export interface PlacedMistake {
  readonly line?: number
  readonly column?: number
  readonly message: string
}

/** What keeps a text from being JSON; undefined if it is. */
export function jsonFlaw(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A mistake in a JSON text at its place, counted from 1: that in the message of a parse error, or none. */
export function jsonMistake(text: string, message: string): PlacedMistake {
  const [, offset] = /at position (\d+)/.exec(message) ?? []
  if (offset === undefined) return { message }
  const before = text.slice(0, Number(offset)).split('\n')
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
