import type { Lead } from './lead-ledger.js'
import type { Ledger } from './ledger.js'
import { SavedState } from './saved-state.js'
import { pause } from './wait.js'

/** The time between two attempts to become the leader, in milliseconds. */
const INTERVAL = 100

/**
 * Waits until this process leads a ledger.
 * @param signal ends the wait
 * @param onError receives the first error of a series of failed attempts
 * @returns undefined if the signal has ended the wait
 */
export async function waitForLead(
  ledger: Ledger,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  interval = INTERVAL,
): Promise<Lead | undefined> {
  const preload = new Preload(ledger)
  let hasFailed = false
  while (!signal.aborted) {
    try {
      const epoch = await ledger.lead()
      if (epoch !== undefined) return { epoch, saved: await preload.take() }
      await preload.check()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
    await pause(interval, signal)
  }
  return undefined
}

/**
 * The rows of a ledger, which a standby reads as soon as the leader is late: reading a large state takes as long as
 * waiting for the end of the lease. They are valid only if nothing has been stored since.
 */
class Preload {
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
