import type { Row } from './ledger.js'

/** Identifies a row of a state. */
export type RowAddress = Pick<Row, 'space' | 'kind' | 'seq'>

/** The address of a row as a key for maps and sets. */
export function keyOf({ space, kind, seq }: RowAddress): string {
  return JSON.stringify([space, kind, seq])
}
