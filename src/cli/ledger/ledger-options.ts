import { checkAddress, hasStandbys, type LedgerOptions } from '../../ledger/open-ledger.js'
import { CommandLineError } from '../errors.js'

/** The arguments of a server that stores its state. */
export interface LedgerArguments {
  ledger: string | undefined
  'ledger-reset': boolean
  'ledger-sync': 'normal' | 'full' | undefined
  'ledger-pause': boolean
}

/** The option that names a ledger. */
export function ledgerOption() {
  return {
    type: 'string',
    requiresArg: true,
    default: process.env['TASKSIM_LEDGER'] || undefined,
    defaultDescription: 'env TASKSIM_LEDGER',
    describe:
      'SQLite file (Node 22.13 or later) or redis:// URL that stores the state across restarts and crashes',
  } as const
}

/** The options of a server that stores its state. */
export function ledgerOptions() {
  return {
    ledger: ledgerOption(),
    'ledger-reset': {
      type: 'boolean',
      default: false,
      describe: 'Delete the state in the ledger when the server starts',
    },
    'ledger-sync': {
      choices: ['normal', 'full'] as const,
      defaultDescription: 'normal',
      describe:
        'What the state survives: a crash of the process (normal), or also a power failure (full, slower)',
    },
    'ledger-pause': {
      type: 'boolean',
      default: false,
      describe: 'Pause the clock while the server is down, instead of catching up when it starts',
    },
  } as const
}

/** @throws UsageError if the address of the ledger is invalid, or an option has no effect without a ledger */
export function checkLedger(args: LedgerArguments): void {
  const given = (['ledger-reset', 'ledger-sync', 'ledger-pause'] as const).find((name) => args[name])
  if (args.ledger !== undefined) checkAddress(args.ledger)
  if (hasStandbys(args.ledger ?? '') && args['ledger-sync'] !== undefined)
    throw new CommandLineError(
      '--ledger-sync is for SQLite files. For Redis, omit it, and set appendfsync in the configuration of Redis.',
    )
  if (args.ledger === undefined && given !== undefined)
    throw new CommandLineError(
      `--${given} needs a ledger. Add --ledger FILE (or set TASKSIM_LEDGER), or omit --${given}.`,
    )
}

/** Converts the arguments to the options of a ledger. @returns undefined without a ledger */
export function ledgerOf(args: LedgerArguments): LedgerOptions | undefined {
  const { ledger: address, 'ledger-sync': synchronous } = args
  if (address === undefined) return undefined
  return {
    address,
    reset: args['ledger-reset'],
    pause: args['ledger-pause'],
    ...(synchronous && { synchronous }),
    onWarning: (message) => process.stderr.write(`tasksim: ${message}\n`),
  }
}
