import type { Row, RowBatches } from './ledger.js'
import { LedgerError } from './ledger-error.js'
import type { SavedRow } from './state-part.js'

/** The rows of one simulator, by kind. */
export type SavedRows = ReadonlyMap<string, readonly SavedRow[]>

/**
 * Groups rows by space and kind.
 * @throws LedgerError if the content of a row is not JSON
 */
export async function rowsBySpace(batches: RowBatches): Promise<Map<string, SavedRows>> {
  const spaces = new Map<string, Map<string, SavedRow[]>>()
  for await (const rows of batches) for (const row of rows) add(row, spaces)
  return spaces
}

function add({ space, kind, seq, json, bytes }: Row, spaces: Map<string, Map<string, SavedRow[]>>): void {
  if (json === undefined) return
  let kinds = spaces.get(space)
  if (kinds === undefined) {
    kinds = new Map()
    spaces.set(space, kinds)
  }
  let saved = kinds.get(kind)
  if (saved === undefined) {
    saved = []
    kinds.set(kind, saved)
  }
  saved.push({ seq, value: parse(json, kind, seq), bytes })
}

function parse(json: string, kind: string, seq: number): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new LedgerError(
      `The row ${kind} ${seq} of the saved state is not JSON. Use a copy of the state, or start with an empty ledger.`,
      { cause: error },
    )
  }
}
