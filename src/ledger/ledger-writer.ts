import { isPromise } from '../engine/awaitable.js'
import { stopwatch } from '../engine/clock/system-clock.js'
import type { StateWriter } from '../engine/output-gate.js'
import type { Epoch, Ledger, Row } from './ledger.js'
import type { StatePart } from './state-part.js'

/** A part of one simulator, with the numbers of its changed rows. */
interface TrackedPart {
  readonly space: string
  readonly part: StatePart
  readonly changed: Set<number>
}

/** Rows of a part. */
interface Mark {
  readonly tracked: TrackedPart
  readonly seqs: readonly number[]
}

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

/** The maximum size of the rows that may come first, in a commit. SQLite takes about 30 ms for it. In bytes. */
const LARGEST_COMMIT = 8 * 1024 * 1024

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

/** The rows of a commit. If it fails, they count as changed again. */
interface Taken {
  readonly rows: readonly Row[]
  /** Whether other changes wait for the next commit. */
  readonly isFirst: boolean
  readonly fail: (error: unknown) => void
}

/**
 * Commits all rows that changed during a turn of the event loop together, at the end of the turn. Only one commit is open
 * at a time; the next commit contains the changes that happen meanwhile. Large files come first, in several commits with
 * turns between them.
 */
export class LedgerWriter implements StateWriter {
  readonly #ledger: Ledger
  readonly #epoch: Epoch
  readonly #options: LedgerWriterOptions
  /** The parts of each simulator. */
  readonly #spaces = new Map<string, TrackedPart[]>()
  /** The parts of deleted simulators whose rows are not deleted yet. */
  readonly #gone: TrackedPart[] = []
  /** The simulators with changes. */
  readonly #changed = new Set<string>()
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

  /**
   * Stores the parts of a simulator and their later changes.
   * @param space the id of the sandbox; empty for the simulator itself
   * @param isNew whether the ledger does not have its rows yet
   */
  add(space: string, parts: readonly StatePart[], isNew: boolean): void {
    const all = parts.map((part): TrackedPart => ({ space, part, changed: new Set() }))
    this.#spaces.set(space, all)
    for (const tracked of all) {
      const { part } = tracked
      part.watch((seq) => this.#mark(tracked, seq))
      if (isNew) for (const seq of part.numbers()) this.#mark(tracked, seq)
    }
  }

  /** Deletes the rows of a simulator, which still has its state, and forgets its parts. */
  remove(space: string): void {
    const all = this.#spaces.get(space) ?? []
    this.#spaces.delete(space)
    for (const tracked of all) {
      for (const seq of tracked.part.numbers()) this.#mark(tracked, seq)
      this.#gone.push({
        ...tracked,
        part: { ...tracked.part, isInEveryCommit: false, write: () => undefined },
      })
    }
  }

  /** Marks all rows of a simulator, before a reset or after its state was replaced. */
  markAll(space: string): void {
    for (const tracked of this.#spaces.get(space) ?? [])
      for (const seq of tracked.part.numbers()) this.#mark(tracked, seq)
  }

  stored(): Promise<boolean> | boolean {
    if (this.#isDeposed || !this.#ledger.isLeading(this.#epoch)) return false
    if (this.#isUrgent) return this.#after(this.#forNext)
    return this.#isOpen ? this.#after(this.#forOpen) : true
  }

  /**
   * Makes output wait for a commit although no event has reported a change, such as a change of the clock.
   * @param space the simulator that may have changed; all of them by default
   */
  touch(space?: string): void {
    for (const id of space === undefined ? this.#spaces.keys() : [space]) this.#changed.add(id)
    this.#isUrgent = true
    this.#plan()
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
    this.touch()
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

  #mark(tracked: TrackedPart, seq: number): void {
    tracked.changed.add(seq)
    this.#changed.add(tracked.space)
    if (tracked.part.isLazy !== true) this.#isUrgent = true
    this.#plan()
  }

  #plan(): void {
    if (this.#isPlanned || this.#isDeposed) return
    this.#isPlanned = true
    this.#options.defer(() => this.#commit())
  }

  /** @returns whether other changes wait for the next commit */
  #commit(): boolean {
    if (this.#isOpen || !this.#isPlanned || this.#isDeposed) return false
    const taken = this.#takeFirst() ?? this.#takeAll()
    this.#isOpen = true
    this.#forOpen = this.#forNext
    if (!taken.isFirst) {
      this.#isPlanned = false
      this.#isUrgent = false
      this.#forNext = new Waiting()
    }
    try {
      const committed = this.#ledger.commit(this.#epoch, taken.rows)
      if (isPromise(committed)) committed.then((isLeader) => this.#end(isLeader), taken.fail)
      else this.#end(committed)
    } catch (error) {
      taken.fail(error)
    }
    return taken.isFirst
  }

  /** Takes some of the rows that may come first. @returns undefined if one commit is enough for all changes */
  #takeFirst(): Taken | undefined {
    const marks: Mark[] = []
    let size = 0
    for (const tracked of [...this.#changed].flatMap((space) => this.#spaces.get(space) ?? [])) {
      if (tracked.part.mayComeFirst !== true) continue
      const seqs: number[] = []
      marks.push({ tracked, seqs })
      for (const seq of tracked.changed) {
        const { length = 0 } = tracked.part.write(seq)?.bytes ?? {}
        if (size > 0 && size + length > LARGEST_COMMIT) return this.#take(marks, true)
        size += length
        if (length > 0) seqs.push(seq)
      }
    }
    return undefined
  }

  /** Takes the changed rows. */
  #takeAll(): Taken {
    const spaces = [...this.#changed]
    this.#changed.clear()
    const gone = this.#gone.splice(0)
    const tracked = [...gone, ...spaces.flatMap((space) => this.#spaces.get(space) ?? [])]
    const marks = tracked.map((each) => ({
      tracked: each,
      seqs: each.part.isInEveryCommit ? [...each.part.numbers()] : [...each.changed],
    }))
    const { fail, ...taken } = this.#take(marks, false)
    return {
      ...taken,
      fail: (error) => {
        this.#gone.push(...gone)
        for (const space of spaces) this.#changed.add(space)
        fail(error)
      },
    }
  }

  #take(marks: readonly Mark[], isFirst: boolean): Taken {
    const rows: Row[] = []
    for (const { tracked, seqs } of marks) {
      const { space, part, changed } = tracked
      for (const seq of seqs) {
        changed.delete(seq)
        const content = part.write(seq)
        rows.push({
          space,
          kind: part.kind,
          seq,
          json: content && JSON.stringify(content.value),
          bytes: content?.bytes,
        })
      }
    }
    const fail = (error: unknown) => {
      for (const { tracked, seqs } of marks) for (const seq of seqs) tracked.changed.add(seq)
      if (!this.#hasFailed) this.#options.onError(error)
      this.#hasFailed = true
      this.#settle(false)
      this.#isUrgent = true
      this.#isPlanned = true
      this.#options.wait(REPEAT_AFTER, () => this.#commit())
    }
    return { rows, isFirst, fail }
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
