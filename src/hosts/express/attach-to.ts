import { checkOptionNames, type OptionNames } from '../../engine/known-options.js'
import type { Attached } from '../../ledger/attach.js'
import { LedgerError } from '../../ledger/ledger-error.js'
import type { LedgerOptions } from '../../ledger/open-ledger.js'
import type { Simulator } from '../../simulator.js'

const LEDGER_OPTIONS: OptionNames<LedgerOptions> = {
  address: true,
  reset: true,
  pause: true,
  synchronous: true,
  onWarning: true,
}

/**
 * Restores a new simulator from its ledger, and stores its changes there. The code of ledgers is loaded on first use.
 * @throws LedgerError if the ledger cannot be used
 */
export async function attachTo(sim: Simulator, ledger: string | LedgerOptions): Promise<Attached> {
  const options = typeof ledger === 'string' ? { address: ledger } : ledger
  checkOptionNames('listen', options, LEDGER_OPTIONS)
  const [{ attach }, { leadLedger }] = await Promise.all([
    import('../../ledger/attach.js'),
    import('../../ledger/lead-ledger.js'),
  ])
  const led = await leadLedger(options)
  const { pause = false } = options
  const onDeposed = () => sim.emit('error', deposed(led.shown))
  return attach(sim, led, { pause, onDeposed })
}

function deposed(shown: string): LedgerError {
  return new LedgerError(
    `Another process has taken over the ledger ${shown}. This server answers every request with 503. Close it.`,
  )
}
