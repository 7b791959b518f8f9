import { UsageError } from '../../engine/errors.js'

/** A mistake in a scenario. */
export interface Mistake {
  /** The file, or the name of the scenario. */
  readonly source: string
  /** The line, from 1; undefined for a scenario that is an object in code. */
  readonly line?: number | undefined
  /** The column, from 1. */
  readonly column?: number | undefined
  /** The field, as in `models["acme/*"].delay`. */
  readonly path: string
  /** The problem, the given value, and the expected value. */
  readonly message: string
}

/** The largest number of mistakes that an error lists. */
export const MAX_MISTAKES = 100

/** Reports the mistakes in a scenario. The message lists the first hundred, one per line. */
export class ScenarioError extends UsageError {
  /** Identifies this class of errors. */
  override readonly name = 'ScenarioError'
  /** The first hundred mistakes, in the order of the text. */
  readonly mistakes: readonly Mistake[]
  /** The number of further mistakes. */
  readonly more: number

  /** @param more the number of further mistakes */
  constructor(mistakes: readonly Mistake[], more = 0) {
    const first = mistakes.slice(0, MAX_MISTAKES)
    const rest = more + mistakes.length - first.length
    super([...first.map(describe), ...(rest > 0 ? [`... and ${rest} more`] : [])].join('\n'))
    this.mistakes = first
    this.more = rest
  }
}

function describe({ source, line, column, path, message }: Mistake): string {
  const position = line === undefined ? source : `${source}:${line}:${column ?? 1}`
  return path === '' ? `${position}: ${message}` : `${position}: ${path}: ${message}`
}

const LONGEST_NAME = 80

/** The name of a field for a message: the start of a long one. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name
}

/** Formats a path as in JavaScript, with {@link shortName}. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const name = shortName(String(step))
      if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}
