import { startTimer } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator/simulator.js'
import type { Epoch, Ledger } from './ledger.js'
import { LedgerWriter, type LedgerWriterOptions } from './ledger-writer.js'
import type { Resumption } from './parts/meta.js'
import { restoreSpaces, type Space, sandboxSpace } from './restore.js'
import { SavedState } from './saved-state.js'

/** How {@link persist} stores the state of a simulator. */
export interface PersistOptions extends Pick<LedgerWriterOptions, 'defer' | 'onDeposed'> {
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
export async function persist(
  sim: Simulator,
  ledger: Ledger,
  epoch: Epoch,
  { defer, onDeposed, resumption, saved: read }: PersistOptions,
): Promise<LedgerWriter> {
  const saved = read ?? (await SavedState.read(ledger.load()))
  const writer = new LedgerWriter(ledger, epoch, {
    defer,
    onDeposed,
    onError: (error) => sim.emit('error', error),
    wait: startTimer,
  })
  await restoreSpaces(sim, saved, resumption ?? 'as-if-running', (space) =>
    persistSpace(writer, space, saved.isEmpty),
  )
  sim.parts.events.on('sandbox.created', (id) => {
    const sandbox = sim.sandboxes.get(id)
    if (sandbox !== undefined) persistSpace(writer, sandboxSpace(sandbox), true)
  })
  sim.parts.events.on('sandbox.deleted', (id) => writer.rows.remove(id))
  return writer
}

/** Stores the changes of one simulator. @param isNew whether the ledger does not have its rows yet */
function persistSpace(writer: LedgerWriter, { id, sim, parts }: Space, isNew: boolean): void {
  sim.parts.events.on('reset.begins', () => writer.rows.markAll(id))
  sim.parts.events.on('control.used', () => writer.rows.touch(id))
  writer.rows.add(id, parts, isNew)
  sim.parts.gate.writer = writer
}
