import type { Ledger, Row } from '../../src/ledger/ledger.js'

/** A ledger in the memory of the test, which outlives the simulators of the test. */
export class MemoryLedger implements Ledger {
  readonly #rows = new Map<string, Row>()
  #epoch = 0
  /** Fails the next commits. */
  isBroken = false
  /** Called after each commit with its rows. */
  onCommit = (_rows: readonly Row[]): void => {}
  /** The bytes of all rows that were committed. */
  written = 0
  /** Resolves before each commit is carried out. */
  delay: Promise<void> | undefined

  lead(): number {
    this.#epoch += 1
    return this.#epoch
  }

  load(): readonly Row[][] {
    return [this.rows()]
  }

  /** All rows, in order. */
  rows(): Row[] {
    return [...this.#rows.values()].sort(
      (a, b) => a.space.localeCompare(b.space) || a.kind.localeCompare(b.kind) || a.seq - b.seq,
    )
  }

  commit(epoch: number, rows: readonly Row[]): boolean | Promise<boolean> {
    return this.delay === undefined
      ? this.#commit(epoch, rows)
      : this.delay.then(() => this.#commit(epoch, rows))
  }

  isLeading(epoch: number): boolean {
    return epoch === this.#epoch
  }

  close(): void {}

  #commit(epoch: number, rows: readonly Row[]): boolean {
    if (this.isBroken) throw new Error('The disk is full')
    if (epoch !== this.#epoch) return false
    for (const row of rows) {
      this.written += (row.json?.length ?? 0) + (row.bytes?.length ?? 0)
      const key = `${row.space}\0${row.kind}\0${row.seq}`
      if (row.json === undefined) this.#rows.delete(key)
      else this.#rows.set(key, row)
    }
    this.onCommit(rows)
    return true
  }
}
