import { UsageError } from '../core/errors.js'

/** What to print of an error: the message where a person can act on it, the stack where only we can. */
export function explain(error: unknown): string {
  if (error instanceof UsageError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A mistake on the command line. */
export function misuse(message: string): UsageError {
  return new UsageError(`${message}\nSee tasksim --help.`)
}
