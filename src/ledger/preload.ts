import type { Ledger } from './ledger.js'
import { SavedState } from './saved-state.js'

/**
 * The rows of a ledger, which a standby reads as soon as the leader is late: reading a large state takes as long as
 * waiting for the end of the lease. They are valid only if nothing has been stored since.
 */
export class Preload {
  readonly #ledger: Ledger
  #read: { readonly commit: number; readonly rows: Promise<SavedState | undefined> } | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** Begins to read if the leader is late. Call it repeatedly. */
  async check(): Promise<void> {
    const seen = await this.#ledger.observe?.()
    if (seen === undefined || seen.commit === this.#read?.commit) return
    // If reading fails, the leader reads again and reports the error.
    const rows = () => SavedState.read(this.#ledger.load()).catch(() => undefined)
    this.#read = seen.isLate ? { commit: seen.commit, rows: rows() } : undefined
  }

  /** The rows, for a process that has just become the leader; undefined if the process must read them again. */
  async take(): Promise<SavedState | undefined> {
    const read = this.#read
    if (read === undefined) return undefined
    const seen = await this.#ledger.observe?.()
    return seen?.commit === read.commit ? read.rows : undefined
  }
}
