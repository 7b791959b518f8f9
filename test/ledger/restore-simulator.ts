import type { Simulator } from '../../src/index.js'
import type { Row } from '../../src/ledger/ledger.js'
import { restoreSpaces } from '../../src/ledger/restore.js'
import { rowsBySpace } from '../../src/ledger/rows-by-space.js'

/** Restores a new simulator from rows. */
export async function restoreSimulator(sim: Simulator, rows: Iterable<Row>): Promise<void> {
  await restoreSpaces(sim, await rowsBySpace([rows]), 'as-if-running')
}
