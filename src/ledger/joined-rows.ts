import { parseJson } from '../engine/json.js'
import type { Row } from './ledger.js'

/** Separates contents in a joined text: JSON as tasksim writes it has no line breaks. */
export const SEPARATOR = ',\n'

/** A larger content is read as a row of its own, so that a joined text does not become too long. In bytes. */
export const LARGEST_JOINED = 20_000

/** How many rows to join. */
export const MOST_JOINED = 500

/**
 * Rows of one space and kind that were read together. Their contents are one JSON array, because SQLite returns one text
 * in less than half the time of hundreds of rows.
 */
export class JoinedRows implements Iterable<Row> {
  readonly space: string
  readonly kind: string
  readonly seqs: readonly number[]
  readonly #contents: string

  /**
   * @param seqs the numbers of the rows
   * @param contents the contents in the same order, with a {@link SEPARATOR} between each two
   */
  constructor({ space, kind }: Pick<Row, 'space' | 'kind'>, seqs: readonly number[], contents: string) {
    this.space = space
    this.kind = kind
    this.seqs = seqs
    this.#contents = contents
  }

  /** The parsed contents; undefined if one of them is not JSON. */
  values(): readonly unknown[] | undefined {
    const values: unknown = parseJson(`[${this.#contents}]`)
    return Array.isArray(values) && values.length === this.seqs.length ? values : undefined
  }

  *[Symbol.iterator](): Generator<Row, void, undefined> {
    const { space, kind, seqs } = this
    const contents = this.#contents.split(SEPARATOR)
    for (const [at, seq] of seqs.entries()) yield { space, kind, seq, json: contents[at] ?? '' }
  }
}
