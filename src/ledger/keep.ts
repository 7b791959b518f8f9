import { startTimer } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator.js'
import { type KeeperOptions, LedgerKeeper } from './keeper.js'
import type { Epoch, Ledger } from './ledger.js'
import type { Resumption } from './parts/meta.js'
import { restoreSpaces, type Space, sandboxSpace } from './restore.js'
import { SavedState } from './saved-state.js'

/** How {@link keep} stores the state of a simulator. */
export interface KeepOptions extends Pick<KeeperOptions, 'defer' | 'onDeposed'> {
  /** How the clock continues. */
  readonly resumption?: Resumption
  /** The rows of the ledger, if they have already been read. */
  readonly saved?: SavedState
}

/**
 * Restores a new simulator from its ledger, and stores its later changes there.
 * @param epoch the leadership under which it stores them
 * @throws LedgerError if the ledger cannot be read
 */
export async function keep(
  sim: Simulator,
  ledger: Ledger,
  epoch: Epoch,
  { defer, onDeposed, resumption, saved: read }: KeepOptions,
): Promise<LedgerKeeper> {
  const saved = read ?? (await SavedState.read(ledger.load()))
  const keeper = new LedgerKeeper(ledger, epoch, {
    defer,
    onDeposed,
    onError: (error) => sim.emit('error', error),
    wait: startTimer,
  })
  await restoreSpaces(sim, saved, resumption ?? 'as-if-running', (space) =>
    keepSpace(keeper, space, saved.isEmpty),
  )
  sim.on('sandbox.created', (id) => {
    const sandbox = sim.sandboxes.get(id)
    if (sandbox !== undefined) keepSpace(keeper, sandboxSpace(sandbox), true)
  })
  sim.on('sandbox.deleted', (id) => keeper.remove(id))
  return keeper
}

/** Stores the changes of one simulator. @param isNew whether the ledger does not have its rows yet */
function keepSpace(keeper: LedgerKeeper, { id, sim, parts }: Space, isNew: boolean): void {
  sim.on('reset.begins', () => keeper.markAll(id))
  sim.on('control.used', () => keeper.touch(id))
  keeper.add(id, parts, isNew)
  sim.parts.gate.keeper = keeper
}
