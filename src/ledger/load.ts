import type { Simulator } from '../simulator.js'
import type { Row } from './ledger.js'
import type { Resumption } from './parts/meta.js'
import { restoreSpaces } from './restore.js'
import { rowsBySpace } from './rows-by-space.js'

/**
 * Restores a new simulator from rows.
 * @throws LedgerError if a row cannot be read
 */
export async function restoreSimulator(
  sim: Simulator,
  rows: AsyncIterable<Row> | Iterable<Row>,
  resumption: Resumption = 'as-if-running',
): Promise<void> {
  await restoreSpaces(sim, await rowsBySpace(rows), resumption)
}
