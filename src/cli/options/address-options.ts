import { CommandLineError } from '../errors.js'

/** The options that set the address of a server. */
export function addressOptions(port: number, environment = '') {
  return {
    port: {
      type: 'number',
      alias: 'p',
      requiresArg: true,
      default: port,
      describe: `Port to listen on${environment}; 0 picks one`,
    },
    host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' },
  } as const
}

/** @throws UsageError if a port is invalid */
export function checkPort(option: string, port: unknown): void {
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return
  throw new CommandLineError(`${option} must be a whole number from 0 to 65535; got ${port}.`)
}
