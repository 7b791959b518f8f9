import type { Row } from './ledger.js'
import type { StatePart } from './state-part.js'

/** The maximum size of the rows that may come first, in a commit. SQLite takes about 30 ms for it. In bytes. */
const LARGEST_COMMIT = 8 * 1024 * 1024

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

/** The rows of a commit. */
export interface TakenRows {
  readonly rows: readonly Row[]
  /** Whether other changes wait for the next commit. */
  readonly isFirst: boolean
  /** Counts the rows as changed again, because the commit has failed. */
  readonly giveBack: () => void
}

/** The rows of all simulators that have changed since they were taken for a commit. */
export class ChangedRows {
  /** The parts of each simulator. */
  readonly #spaces = new Map<string, TrackedPart[]>()
  /** The parts of deleted simulators whose rows are not deleted yet. */
  readonly #gone: TrackedPart[] = []
  /** The simulators with changes. */
  readonly #changed = new Set<string>()
  readonly #onChange: (isLazy: boolean) => void

  /** @param onChange called after each change, with whether output need not wait for it */
  constructor(onChange: (isLazy: boolean) => void) {
    this.#onChange = onChange
  }

  /**
   * Follows the parts of a simulator.
   * @param space the id of the sandbox; empty for the simulator itself
   * @param areNew whether all their rows count as changed
   */
  add(space: string, parts: readonly StatePart[], areNew: boolean): void {
    const all = parts.map((part): TrackedPart => ({ space, part, changed: new Set() }))
    this.#spaces.set(space, all)
    for (const tracked of all) {
      tracked.part.watch((seq) => this.#mark(tracked, seq))
      if (areNew) this.#markAllOf(tracked)
    }
  }

  /** Deletes the rows of a simulator, which still has its state, and forgets its parts. */
  remove(space: string): void {
    const all = this.#spaces.get(space) ?? []
    this.#spaces.delete(space)
    for (const tracked of all) {
      this.#markAllOf(tracked)
      this.#gone.push({
        ...tracked,
        part: { ...tracked.part, isInEveryCommit: false, write: () => undefined },
      })
    }
  }

  /** Counts all rows of a simulator as changed, before a reset or after its state was replaced. */
  markAll(space: string): void {
    for (const tracked of this.#spaces.get(space) ?? []) this.#markAllOf(tracked)
  }

  /**
   * Counts a simulator as changed although no event has reported a change, such as a change of the clock: output waits
   * for the next commit.
   * @param space the simulator that may have changed; all of them by default
   */
  touch(space?: string): void {
    for (const id of space === undefined ? this.#spaces.keys() : [space]) this.#changed.add(id)
    this.#onChange(false)
  }

  /** Takes the changed rows; if there are large ones that may come first, some of these. */
  take(): TakenRows {
    return this.#takeFirst() ?? this.#takeAll()
  }

  #markAllOf(tracked: TrackedPart): void {
    for (const seq of tracked.part.numbers()) this.#mark(tracked, seq)
  }

  #mark(tracked: TrackedPart, seq: number): void {
    tracked.changed.add(seq)
    this.#changed.add(tracked.space)
    this.#onChange(tracked.part.isLazy === true)
  }

  /** @returns undefined if one commit is enough for all changes */
  #takeFirst(): TakenRows | undefined {
    const marks: Mark[] = []
    let size = 0
    for (const tracked of [...this.#changed].flatMap((space) => this.#spaces.get(space) ?? [])) {
      if (tracked.part.mayComeFirst !== true) continue
      const seqs: number[] = []
      marks.push({ tracked, seqs })
      for (const seq of tracked.changed) {
        const { length = 0 } = tracked.part.write(seq)?.bytes ?? {}
        if (size > 0 && size + length > LARGEST_COMMIT) return taken(marks, true)
        size += length
        if (length > 0) seqs.push(seq)
      }
    }
    return undefined
  }

  #takeAll(): TakenRows {
    const spaces = [...this.#changed]
    this.#changed.clear()
    const gone = this.#gone.splice(0)
    const tracked = [...gone, ...spaces.flatMap((space) => this.#spaces.get(space) ?? [])]
    const marks = tracked.map((each) => ({
      tracked: each,
      seqs: each.part.isInEveryCommit ? [...each.part.numbers()] : [...each.changed],
    }))
    const { giveBack, ...all } = taken(marks, false)
    return {
      ...all,
      giveBack: () => {
        this.#gone.push(...gone)
        for (const space of spaces) this.#changed.add(space)
        giveBack()
      },
    }
  }
}

function taken(marks: readonly Mark[], isFirst: boolean): TakenRows {
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
  const giveBack = () => {
    for (const { tracked, seqs } of marks) for (const seq of seqs) tracked.changed.add(seq)
  }
  return { rows, isFirst, giveBack }
}
