import type { Row } from './ledger.js'
import { LedgerError } from './ledger-error.js'
import type { SavedRow } from './state-part.js'

/** The rows of one simulator, by kind. */
export type SavedRows = ReadonlyMap<string, readonly SavedRow[]>

/**
 * Groups rows by space and kind.
 * @throws LedgerError if the content of a row is not JSON
 */
export async function rowsBySpace(rows: AsyncIterable<Row> | Iterable<Row>): Promise<Map<string, SavedRows>> {
  const spaces = new Map<string, Map<string, SavedRow[]>>()
  for await (const { space, kind, seq, json, bytes } of rows) {
    if (json === undefined) continue
    const kinds = spaces.get(space) ?? new Map<string, SavedRow[]>()
    spaces.set(space, kinds)
    const saved = kinds.get(kind) ?? []
    kinds.set(kind, saved)
    saved.push({ seq, value: parse(json, kind, seq), bytes })
  }
  return spaces
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
