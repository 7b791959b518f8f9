import { UsageError } from '../engine/errors.js'
import { JoinedRows } from './joined-rows.js'
import type { Row, RowAddress, RowBatches } from './ledger.js'
import { RowError } from './ledger-error.js'
import { flawOfRow, isRowKind, type RowKind, type RowValue } from './rows/check-row.js'
import type { SavedRow } from './state-part.js'

/**
 * The rows of a simulator and its sandboxes, as they were read. It remembers which row was used last, because that one has
 * the mistake if a part of the state throws.
 */
export class SavedState {
  readonly #spaces = new Map<string, Map<string, RowsOfKind>>()
  #lastUsed: ReadRow | undefined

  /**
   * Reads all rows, and checks each of them. Rows of unknown kinds are ignored.
   * @throws RowError if the content of a row is not JSON, or not that of its kind
   */
  static async read(batches: RowBatches): Promise<SavedState> {
    const state = new SavedState()
    for await (const rows of batches) state.#addAll(rows)
    return state
  }

  get isEmpty(): boolean {
    return this.#spaces.size === 0
  }

  /** The ids of the spaces with rows. */
  get spaces(): Iterable<string> {
    return this.#spaces.keys()
  }

  /** The rows of a space and kind. The id of a space is that of its sandbox, or empty for the simulator itself. */
  rows<Kind extends RowKind>(space: string, kind: Kind): readonly SavedRow<RowValue<Kind>>[] {
    const rows: readonly SavedRow[] = this.#spaces.get(space)?.get(kind)?.rows ?? []
    // The schema of the kind has accepted their values.
    return rows as readonly SavedRow<RowValue<Kind>>[]
  }

  /** The number of rows of a kind in all spaces. */
  count(kind: RowKind): number {
    return [...this.#spaces.keys()].reduce((sum, space) => sum + this.rows(space, kind).length, 0)
  }

  /** Explains an error of a part of the state, unless its message already says what to do. */
  explain(error: unknown): unknown {
    if (error instanceof UsageError || this.#lastUsed === undefined) return error
    return new RowError(this.#lastUsed.address, error)
  }

  #addAll(rows: Iterable<Row>): void {
    const values = rows instanceof JoinedRows ? rows.values() : undefined
    if (!(rows instanceof JoinedRows) || values === undefined) {
      // One by one, to name a row that is not JSON.
      for (const row of rows) this.#add(row)
      return
    }
    const ofKind = this.#ofKind(rows)
    if (ofKind === undefined) return
    for (const [at, seq] of rows.seqs.entries()) ofKind.rows.push(new ReadRow(ofKind, seq, values[at]))
  }

  #add({ space, kind, seq, json, bytes }: Row): void {
    if (json === undefined) return
    const ofKind = this.#ofKind({ space, kind })
    ofKind?.rows.push(new ReadRow(ofKind, seq, contentOf({ space, kind, seq }, json), bytes))
  }

  /** @returns undefined if the kind is unknown */
  #ofKind({ space, kind }: Pick<Row, 'space' | 'kind'>): RowsOfKind | undefined {
    if (!isRowKind(kind)) return undefined
    let kinds = this.#spaces.get(space)
    if (kinds === undefined) {
      kinds = new Map()
      this.#spaces.set(space, kinds)
    }
    let ofKind = kinds.get(kind)
    if (ofKind === undefined) {
      const onUse = (row: ReadRow) => {
        this.#lastUsed = row
      }
      ofKind = { space, kind, rows: [], onUse }
      kinds.set(kind, ofKind)
    }
    return ofKind
  }
}

/** @throws RowError if the content of a row is not JSON */
function contentOf(address: RowAddress, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new RowError(address, error)
  }
}

interface RowsOfKind extends Pick<Row, 'space'> {
  readonly kind: RowKind
  readonly rows: ReadRow[]
  readonly onUse: (row: ReadRow) => void
}

class ReadRow implements SavedRow {
  readonly seq: number
  readonly bytes: Row['bytes']
  readonly #ofKind: RowsOfKind
  readonly #value: SavedRow['value']

  /** @throws RowError if the value is not that of its kind */
  constructor(ofKind: RowsOfKind, seq: number, value: unknown, bytes?: Row['bytes']) {
    this.seq = seq
    this.bytes = bytes
    this.#ofKind = ofKind
    const flaw = flawOfRow(ofKind.kind, seq, value)
    if (flaw !== undefined) throw new RowError(this.address, new Error(flaw))
    this.#value = value as SavedRow['value']
  }

  get value(): SavedRow['value'] {
    this.#ofKind.onUse(this)
    return this.#value
  }

  get address(): RowAddress {
    const { space, kind } = this.#ofKind
    return { space, kind, seq: this.seq }
  }
}
