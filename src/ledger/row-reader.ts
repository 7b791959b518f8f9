import { UsageError } from '../engine/errors.js'
import { RowError, type RowPlace } from './row-error.js'
import type { SavedSpaces } from './rows-by-space.js'
import type { SavedRow } from './state-part.js'

/** Gives saved rows to the parts of the state, and names the row that a part cannot use: the last one that it read. */
export class RowReader {
  readonly #saved: SavedSpaces
  #last: RowPlace | undefined

  constructor(saved: SavedSpaces) {
    this.#saved = saved
  }

  /** The rows of a space and kind. */
  rows(space: string, kind: string): readonly SavedRow[] {
    const onRead = (seq: number) => {
      this.#last = { space, kind, seq }
    }
    return (this.#saved.get(space)?.get(kind) ?? []).map((row) => new ObservedRow(row, onRead))
  }

  /** Explains an error of a part, unless its message already says what to do. */
  explain(error: unknown): unknown {
    return error instanceof UsageError || this.#last === undefined ? error : new RowError(this.#last, error)
  }
}

class ObservedRow implements SavedRow {
  readonly #row: SavedRow
  readonly #onRead: (seq: number) => void

  constructor(row: SavedRow, onRead: (seq: number) => void) {
    this.#row = row
    this.#onRead = onRead
  }

  get seq(): SavedRow['seq'] {
    return this.#row.seq
  }

  get bytes(): SavedRow['bytes'] {
    return this.#row.bytes
  }

  get value(): SavedRow['value'] {
    this.#onRead(this.#row.seq)
    return this.#row.value
  }
}
