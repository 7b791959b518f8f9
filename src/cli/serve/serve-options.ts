import type { Argv } from 'yargs'
import type { ArgumentsOf } from '../command.js'
import { CommandLineError } from '../errors.js'
import { checkLedger, ledgerOptions } from '../ledger/ledger-options.js'
import { checkIntercept, interceptOptions } from '../options/intercept-options.js'
import { checkUrl, optionalScenario, readDurationOption, repeatable } from '../options/options.js'
import {
  accessOptions,
  addressOptions,
  checkAccess,
  checkPort,
  checkSimulatorOptions,
  simulatorOptions,
} from '../options/server-options.js'

/** Declares the options of `tasksim serve`. */
export function serveOptions(yargs: Argv) {
  return yargs
    .positional('scenario', optionalScenario)
    .options(addressOptions(portFromEnvironment(), ' (env TASKSIM_PORT)'))
    .option('open', {
      type: 'boolean',
      default: false,
      describe: 'Open the dashboard in a browser; ignored in CI',
    })
    .options(simulatorOptions())
    .option('public-url', {
      type: 'string',
      defaultDescription: 'origin of the request',
      describe: 'Base of output URLs',
    })
    .option('partition', {
      type: 'string',
      requiresArg: true,
      default: process.env['TASKSIM_PARTITION'] || undefined,
      defaultDescription: 'env TASKSIM_PARTITION',
      describe: 'Name of this server among several behind a load balancer, such as eu-1',
    })
    .option('control-token', {
      type: 'string',
      default: process.env['TASKSIM_CONTROL_TOKEN'] || undefined,
      defaultDescription: 'env TASKSIM_CONTROL_TOKEN',
      describe: 'Token that the control API requires; generated when --host is reachable from other machines',
    })
    .option('control-origin', {
      ...repeatable,
      describe: 'Origin whose web pages may use the control API, such as http://localhost:5173',
    })
    .options(interceptOptions())
    .options(accessOptions())
    .options(ledgerOptions())
    .option('drain', {
      type: 'string',
      requiresArg: true,
      default: '0s',
      describe:
        'Maximum time to wait for pending webhooks after SIGINT or SIGTERM; with a manual clock, only for those already due',
    })
    .option('stop-with-stdin', {
      type: 'boolean',
      default: false,
      describe: 'Stop when stdin ends, so that the server ends with the process that has started it',
    })
    .option('json', { type: 'boolean', default: false, describe: 'Print log lines as JSON' })
    .example('$0', 'Every task succeeds after a few seconds')
    .example('$0 flaky --webhook http://localhost:3000/hooks', 'One task in five fails')
    .example('$0 ./scenario.yaml --speed 60', 'Simulate one minute per second')
    .example('$0 --dialect ./acme.yaml', 'Speak the format of a service of your own')
    .example('$0 --ledger ./state.db', 'Continue where the last server with this ledger stopped')
    .check((args) => check(args as ServeArguments))
}

/** The arguments of a server. */
export type ServeArguments = ArgumentsOf<typeof serveOptions>

function check(args: ServeArguments): true {
  const { port, host } = args
  // The words of the command line are restored, but yargs has no text for the environment.
  const isFromEnvironment = Number.isNaN(port) && Number.isNaN(portFromEnvironment())
  checkPort('--port (or TASKSIM_PORT)', isFromEnvironment ? process.env['TASKSIM_PORT'] : port)
  if (host.trim() === '')
    throw new CommandLineError('--host must be an address, such as 127.0.0.1 or 0.0.0.0.')
  for (const origin of args['control-origin'] ?? []) checkUrl('control-origin', origin)
  readDurationOption('drain', args.drain)
  checkIntercept(args)
  checkAccess(args)
  checkLedger(args)
  return checkSimulatorOptions(args)
}

/** Reads TASKSIM_PORT instead of PORT, which often sets the port of the app under development. */
function portFromEnvironment(): number {
  const port = process.env['TASKSIM_PORT'] ?? ''
  return port === '' ? 4010 : Number(port)
}
