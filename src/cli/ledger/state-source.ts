import { connect } from '../../client/connect.js'
import type { Control } from '../../client/control.js'
import { type LedLedger, leadLedger } from '../../ledger/lead-ledger.js'
import { checkAddress, type LedgerOptions } from '../../ledger/open-ledger.js'
import { CommandLineError } from '../errors.js'
import { changedOption } from '../options/changed-option.js'
import { checkUrl } from '../options/check-url.js'
import { checkControlToken, controlTokenOption } from '../options/control-token-option.js'
import { ledgerOption } from './ledger-options.js'

/** The arguments that say where a state is. */
export interface StateArguments {
  ledger: string | undefined
  server: string | undefined
  'control-token': string | undefined
}

/** The options that say where a state is. */
export function stateOptions() {
  return {
    ledger: { ...ledgerOption(), describe: 'SQLite file or redis:// URL of a stopped server' },
    server: {
      type: 'string',
      requiresArg: true,
      describe: 'URL of a running server, such as http://127.0.0.1:4010',
    },
    'control-token': controlTokenOption(),
  } as const
}

/** @throws UsageError unless exactly one place is given. The environment may name a ledger as well. */
export function checkPlace(args: StateArguments): true {
  const { ledger, server } = args
  checkControlToken(args)
  if (server !== undefined && changedOption(args, { ledger: ledgerOption() }) !== undefined)
    throw new CommandLineError('--server and --ledger name two states. Omit one of them.')
  if (server !== undefined) checkUrl('server', server)
  else if (ledger !== undefined) checkAddress(ledger)
  else
    throw new CommandLineError(
      'Add --server http://127.0.0.1:4010 for a running server, or --ledger FILE for a stopped one.',
    )
  return true
}

/** Where a state is: in a running server, or in a ledger. */
type Place = { readonly control: Control } | { readonly led: LedLedger }

/**
 * Uses the place that the command line gives. A ledger is closed afterwards.
 * @throws UsageError if the server cannot be reached; LedgerError if the ledger cannot be used
 */
export async function withPlace<Result>(
  { ledger = '', server, 'control-token': token }: StateArguments,
  use: (place: Place) => Promise<Result>,
): Promise<Result> {
  if (server !== undefined) return use({ control: connect(server, token === undefined ? {} : { token }) })
  const led = await leadLedger(ledgerAt(ledger))
  try {
    return await use({ led })
  } finally {
    await led.ledger.close()
  }
}

function ledgerAt(address: string): LedgerOptions {
  // An import is stored only once, so it must survive a power failure.
  return { address, synchronous: 'full' }
}
