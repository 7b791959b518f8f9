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

/** Why a command could not start. */
interface StartFailure {
  /** The exit status of a shell. */
  readonly status: 126 | 127
  readonly error: string
}

/** Explains why a command could not start. */
export function startFailure(command = '', reason: unknown): StartFailure {
  const { code, message } = reason as NodeJS.ErrnoException
  const failed = `Cannot run ${JSON.stringify(command)}`
  if (code === 'ENOENT') {
    const remedy = 'Give a program on the PATH or its path; run a script of package.json with `npm run`.'
    return { status: 127, error: `${failed}: command not found. ${remedy}` }
  }
  return {
    status: 126,
    error: `${failed}: ${code === 'EACCES' ? 'it is not executable. Change its permissions.' : message}`,
  }
}
