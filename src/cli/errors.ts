import { UsageError } from '../engine/errors.js'

/** The text to print for an error: the message where a person can act on it, the stack where only we can. */
export function errorText(error: unknown): string {
  if (error instanceof UsageError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A mistake on the command line: `run` adds which help to read, that of the command that was called. */
export class CommandLineError extends UsageError {}

/** A mistake on the command line. */
export function misuse(message: string): CommandLineError {
  return new CommandLineError(message)
}
