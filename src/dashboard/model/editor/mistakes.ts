/** A mistake in a scenario, as the API reports it. */
export interface Mistake {
  readonly line?: number
  readonly column?: number
  readonly path: string
  readonly message: string
}

/** The mistakes in the details of an error. */
export function mistakesIn(details: Readonly<Record<string, unknown>>): Mistake[] {
  const { mistakes } = details
  return Array.isArray(mistakes)
    ? mistakes.filter((mistake) => typeof Object(mistake).message === 'string')
    : []
}

/** The offset of a line and a column in a text, both counted from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return Math.min(text.length, before + Math.min(column - 1, lines[line - 1]?.length ?? 0))
}
