import type { Row } from './ledger.js'

/** Identifies a row of a state. */
export type RowPlace = Pick<Row, 'space' | 'kind' | 'seq'>

/** The place of a row as a key for maps and sets. */
export function keyOf({ space, kind, seq }: RowPlace): string {
  return JSON.stringify([space, kind, seq])
}
