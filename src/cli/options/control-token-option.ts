import { CommandLineError } from '../errors.js'
import { changedOption } from './changed-option.js'

/** The arguments of a command that may call the control API of a running server. */
interface RemoteArguments {
  server: string | undefined
  'control-token': string | undefined
}

/** The option of every command that calls the control API of a running server. */
export function controlTokenOption() {
  return {
    type: 'string',
    default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
    defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
    describe: 'Token of the control API of the running server',
  } as const
}

/** @throws UsageError if the command line gives a token, but no server */
export function checkControlToken({ server, ...args }: RemoteArguments): void {
  if (server !== undefined || changedOption(args, { 'control-token': controlTokenOption() }) === undefined)
    return
  throw new CommandLineError('--control-token is for a running server. Add --server URL, or omit the token.')
}
