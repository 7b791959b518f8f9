import type { AccessOptions } from '../../hosts/express/access.js'
import { CommandLineError } from '../errors.js'
import { checkUrl } from './check-url.js'
import { repeatable } from './repeatable.js'

/** The arguments that allow clients to use the service API. */
export interface AccessArguments {
  cors: string[] | undefined
  'allow-host': string[] | undefined
}

/** The options that allow web pages and additional host names, for every command that runs a server. */
export function accessOptions() {
  return {
    cors: {
      ...repeatable,
      describe: 'Origin whose web pages may use the API, such as http://localhost:5173, or * for all',
    },
    'allow-host': {
      ...repeatable,
      describe: 'Host name by which clients may address the server',
    },
  } as const
}

/** @throws UsageError if an origin or a host name is invalid */
export function checkAccess({ cors = [], 'allow-host': hosts = [] }: AccessArguments): void {
  for (const origin of cors) {
    if (origin === '*') continue
    checkUrl('cors', origin)
    if (new URL(origin).pathname !== '/' || /[?#]/.test(origin))
      throw new CommandLineError(
        `--cors must be an origin without a path, such as ${new URL(origin).origin}; got ${origin}.`,
      )
  }
  const invalid = hosts.find((name) => !isHostName(name))
  if (invalid === undefined) return
  throw new CommandLineError(
    `--allow-host must be a host name without a scheme or a port, such as sim.test; got ${JSON.stringify(invalid)}.`,
  )
}

/** Converts the arguments to options of the server. */
export function accessOf({ cors, 'allow-host': allowHosts }: AccessArguments): AccessOptions {
  return { ...(cors && { cors }), ...(allowHosts && { allowHosts }) }
}

const MIN_TOKEN_LENGTH = 16

/** Returns a warning if a control token is short enough to guess. */
export function tokenWarning(token: string | undefined): string | undefined {
  if (token === undefined || token.length >= MIN_TOKEN_LENGTH) return undefined
  return `The control token has only ${token.length} characters and can be guessed. Use at least ${MIN_TOKEN_LENGTH}, such as the output of \`openssl rand -hex 16\`.`
}

function isHostName(name: string): boolean {
  return URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name.toLowerCase()
}
