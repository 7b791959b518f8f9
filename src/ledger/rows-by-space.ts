import type { Row, RowBatches } from './ledger.js'
import { RowError, type RowPlace } from './row-error.js'
import type { SavedRow } from './state-part.js'

/** The rows of one simulator, by kind. */
type SavedRows = ReadonlyMap<string, readonly SavedRow[]>

/** The rows of a simulator and its sandboxes, by the id of the sandbox, which is empty for the simulator itself. */
export type SavedSpaces = ReadonlyMap<string, SavedRows>

/**
 * Groups rows by space and kind.
 * @throws RowError if the content of a row is not JSON
 */
export async function rowsBySpace(batches: RowBatches): Promise<SavedSpaces> {
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
  saved.push({ seq, value: parse(json, { space, kind, seq }), bytes })
}

function parse(json: string, place: RowPlace): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new RowError(place, error)
  }
}
