import { ControlError } from '../client/call.js'
import { UsageError } from '../engine/errors.js'

/**
 * The text to print for an error: the message of a mistake of the user, also from a server; the stack of other errors.
 */
export function errorText(error: unknown): string {
  if (error instanceof UsageError || error instanceof ControlError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A mistake on the command line. `run` adds a hint to the help of the command. */
export class CommandLineError extends UsageError {}
