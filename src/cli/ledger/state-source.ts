import type { InferredOptionTypes } from 'yargs'
import { connect } from '../../client/connect.js'
import type { Control } from '../../client/control.js'
import { type LedLedger, leadLedger } from '../../ledger/lead-ledger.js'
import { checkAddress } from '../../ledger/open-ledger.js'
import { CommandLineError } from '../errors.js'
import { changedOption, checkControlToken, checkUrl, controlTokenOption } from '../options/options.js'
import { ledgerOption } from './ledger-options.js'

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

/** The arguments that say where a state is. */
export type StateArguments = InferredOptionTypes<ReturnType<typeof stateOptions>>

/** @throws UsageError unless exactly one source is given. The environment may name a ledger as well. */
export function checkSource(args: StateArguments): true {
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
type StateSource = { readonly control: Control } | { readonly led: LedLedger }

/**
 * Uses the source that the command line gives. A ledger is closed afterwards.
 * @throws UsageError if the server cannot be reached; LedgerError if the ledger cannot be used
 */
export async function withSource<Result>(
  { ledger = '', server, 'control-token': token }: StateArguments,
  use: (source: StateSource) => Promise<Result>,
): Promise<Result> {
  if (server !== undefined) return use({ control: connect(server, token === undefined ? {} : { token }) })
  // An import is stored only once, so it must survive a power failure.
  const led = await leadLedger({ address: ledger, synchronous: 'full' })
  try {
    return await use({ led })
  } finally {
    await led.ledger.close()
  }
}
