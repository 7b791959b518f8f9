/** One thing that is wrong with a scenario, as the API tells it. */
export interface Mistake {
  readonly line?: number
  readonly column?: number
  readonly path: string
  readonly message: string
}

/** The mistakes in the details of a refusal. */
export function mistakesIn(details: Readonly<Record<string, unknown>>): Mistake[] {
  const { mistakes } = details
  return Array.isArray(mistakes)
    ? mistakes.filter((mistake) => typeof Object(mistake).message === 'string')
    : []
}

/** Where in a text a line and a column are, both counted from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return Math.min(text.length, before + Math.min(column - 1, lines[line - 1]?.length ?? 0))
}
