import { UsageError } from '../errors.js'

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

/** A scenario that cannot be used. The message lists every mistake in it, one a line. */
export class ScenarioError extends UsageError {
  /** Tells it from other errors. */
  override readonly name = 'ScenarioError'
  /** Every mistake, in the order of the text. */
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(describe).join('\n'))
    this.mistakes = mistakes
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
