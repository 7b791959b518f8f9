import { isPromise } from '../engine/awaitable.js'
import { stopwatch } from '../engine/clock/system-clock.js'
import type { StateWriter } from '../engine/output-gate.js'
import { ChangedRows, type TakenRows } from './changed-rows.js'
import type { Epoch, Ledger } from './ledger.js'

/** What {@link LedgerWriter} needs besides its ledger. */
export interface LedgerWriterOptions {
  /** Calls a function after the current turn of the event loop. */
  readonly defer: (run: () => void) => void
  /** Called once when another process has become the leader. The simulator sends no more responses or webhooks. */
  readonly onDeposed: () => void
  /** Receives the first error of a series of failed commits. The rows are committed again later. */
  readonly onError: (error: unknown) => void
  /** Calls a function after a number of milliseconds of real time. */
  readonly wait: (milliseconds: number, run: () => void) => void
}

/** Milliseconds before a failed commit is retried. */
const REPEAT_AFTER = 200

/**
 * The longest time that output waits, in milliseconds: also for a commit behind another one, each of which a ledger may
 * take as long to refuse. What is not stored by then is stored later.
 */
const LONGEST_WAIT = 4_000

/** The output that waits for the same commit. */
class Waiting {
  #waiting: ((isStored: boolean) => void)[] = []
  /** When the first of it began to wait, in milliseconds on the steady clock. */
  #since = 0

  wait(): Promise<boolean> {
    if (this.#waiting.length === 0) this.#since = stopwatch()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  settle(isStored: boolean): void {
    for (const resolve of this.#waiting.splice(0)) resolve(isStored)
  }

  /** Gives up after the longest wait. @returns the time that is left, in milliseconds; undefined if nothing waits */
  check(): number | undefined {
    if (this.#waiting.length === 0) return undefined
    const left = this.#since + LONGEST_WAIT - stopwatch()
    if (left > 0) return left
    this.settle(false)
    return undefined
  }
}

/**
 * Commits all rows that changed during a turn of the event loop together, at the end of the turn. Only one commit is open
 * at a time; the next commit contains the changes that happen meanwhile. Large files come first, in several commits with
 * turns between them.
 */
export class LedgerWriter implements StateWriter {
  /** What the next commits store. */
  readonly rows = new ChangedRows((isLazy) => {
    if (!isLazy) this.#isUrgent = true
    this.#plan()
  })
  readonly #ledger: Ledger
  readonly #epoch: Epoch
  readonly #options: LedgerWriterOptions
  /** Whether the next commit has rows that output waits for. */
  #isUrgent = false
  #isPlanned = false
  #isOpen = false
  #isDeposed = false
  /** Whether the last commit failed, so that a series of failures is reported only once. */
  #hasFailed = false
  /** What waits for the next commit, and for the open one. */
  #forNext = new Waiting()
  #forOpen = new Waiting()
  /** What waits for the end of the open commit, however long that takes. */
  readonly #ends = new Waiting()
  /** Whether a timer will end the waits that are too long. */
  #isWatched = false

  constructor(ledger: Ledger, epoch: Epoch, options: LedgerWriterOptions) {
    this.#ledger = ledger
    this.#epoch = epoch
    this.#options = options
  }

  stored(): Promise<boolean> | boolean {
    if (this.#isDeposed || !this.#ledger.isLeading(this.#epoch)) return false
    if (this.#isUrgent) return this.#after(this.#forNext)
    return this.#isOpen ? this.#after(this.#forOpen) : true
  }

  /** Stores all changes now, for example before the process ends. */
  async flush(): Promise<boolean> {
    while (this.#isOpen) await this.#ends.wait()
    if (!this.#isPlanned || this.#isDeposed) return !this.#isDeposed
    const stored = this.#ends.wait()
    const hasMore = this.#commit()
    return (await stored) && hasMore ? this.flush() : stored
  }

  /**
   * Stores all changes and the time. Later changes are not stored, and the simulator sends no more responses or webhooks.
   * @returns whether everything is stored
   */
  async close(): Promise<boolean> {
    this.rows.touch()
    const isStored = await this.flush()
    this.#isDeposed = true
    return isStored
  }

  async #after(waiting: Waiting): Promise<boolean> {
    const settled = waiting.wait()
    if (!this.#isWatched) this.#watch(LONGEST_WAIT)
    const isStored = await settled
    return isStored && !this.#isDeposed && this.#ledger.isLeading(this.#epoch)
  }

  /** Ends the waits that are too long. One timer serves them all, because most end within milliseconds. */
  #watch(delay: number): void {
    this.#isWatched = true
    this.#options.wait(delay, () => {
      this.#isWatched = false
      const left = [this.#forOpen.check(), this.#forNext.check()].filter((time) => time !== undefined)
      if (left.length > 0) this.#watch(Math.min(...left))
    })
  }

  #plan(): void {
    if (this.#isPlanned || this.#isDeposed) return
    this.#isPlanned = true
    this.#options.defer(() => this.#commit())
  }

  /** @returns whether other changes wait for the next commit */
  #commit(): boolean {
    if (this.#isOpen || !this.#isPlanned || this.#isDeposed) return false
    const taken = this.rows.take()
    this.#isOpen = true
    this.#forOpen = this.#forNext
    if (!taken.isFirst) {
      this.#isPlanned = false
      this.#isUrgent = false
      this.#forNext = new Waiting()
    }
    try {
      const committed = this.#ledger.commit(this.#epoch, taken.rows)
      if (isPromise(committed))
        committed.then(
          (isLeader) => this.#end(isLeader),
          (error) => this.#fail(error, taken),
        )
      else this.#end(committed)
    } catch (error) {
      this.#fail(error, taken)
    }
    return taken.isFirst
  }

  #fail(error: unknown, { giveBack }: TakenRows): void {
    giveBack()
    if (!this.#hasFailed) this.#options.onError(error)
    this.#hasFailed = true
    this.#settle(false)
    this.#isUrgent = true
    this.#isPlanned = true
    this.#options.wait(REPEAT_AFTER, () => this.#commit())
  }

  #end(isLeader: boolean): void {
    this.#hasFailed = false
    if (!isLeader && !this.#isDeposed) {
      this.#isDeposed = true
      this.#options.onDeposed()
    }
    this.#settle(isLeader)
    if (this.#isPlanned) this.#options.defer(() => this.#commit())
  }

  #settle(isStored: boolean): void {
    this.#isOpen = false
    this.#ends.settle(isStored)
    // What comes first is not enough for the output.
    if (!isStored || this.#forOpen !== this.#forNext) this.#forOpen.settle(isStored)
    if (this.#isDeposed) this.#forNext.settle(false)
  }
}
