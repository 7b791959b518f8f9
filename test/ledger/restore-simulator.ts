import type { Simulator } from '../../src/index.js'
import type { Row } from '../../src/ledger/ledger.js'
import { SavedState } from '../../src/ledger/saved-state.js'
import { restoreSpaces } from '../../src/ledger/spaces.js'

/** Restores a new simulator from rows. */
export async function restoreSimulator(sim: Simulator, rows: Iterable<Row>): Promise<void> {
  await restoreSpaces(sim, await SavedState.read([rows]), 'as-if-running')
}
