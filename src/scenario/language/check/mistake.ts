import { UsageError } from '../../../engine/errors.js'

/** One thing that is wrong with a scenario. */
export interface Mistake {
  /** The file, or the name of the scenario. */
  readonly source: string
  /** Where in the text, counted from 1; unknown where the scenario is an object in code. */
  readonly line?: number | undefined
  /** Where in the line, counted from 1. */
  readonly column?: number | undefined
  /** The field, as in `models["acme/*"].delay`. */
  readonly path: string
  /** What is wrong, what was given, and what would be right. */
  readonly message: string
}

/** How many mistakes an error lists. */
export const MOST_MISTAKES = 100

/** A scenario that cannot be used. The message lists its first hundred mistakes, one a line. */
export class ScenarioError extends UsageError {
  /** Tells it from other errors. */
  override readonly name = 'ScenarioError'
  /** The first hundred mistakes, in the order of the text. */
  readonly mistakes: readonly Mistake[]
  /** How many more there are. */
  readonly more: number

  /** @param more how many there are beside those that are given */
  constructor(mistakes: readonly Mistake[], more = 0) {
    const first = mistakes.slice(0, MOST_MISTAKES)
    const rest = more + mistakes.length - first.length
    super([...first.map(describe), ...(rest > 0 ? [`... and ${rest} more`] : [])].join('\n'))
    this.mistakes = first
    this.more = rest
  }
}

function describe({ source, line, column, path, message }: Mistake): string {
  const place = line === undefined ? source : `${source}:${line}:${column ?? 1}`
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`
}

/** Writes a path the way one would in code. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const name = String(step)
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}
