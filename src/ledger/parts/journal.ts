import type { Entry } from '../../inspect/journal/entry.js'
import { isScenarioChange, shownIn } from '../../inspect/journal/last-answer.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'
import { readEntries, writeEntries } from './saved-entries.js'

/** The maximum number of entries in a row. */
const MAX_ENTRIES = 500

/** The entries of a row, by their numbers. */
interface Batch {
  readonly first: number
  last: number
}

/**
 * The journal. The new entries of a commit are one row, which has the number of its first entry and never changes. It is
 * deleted after its last entry is evicted.
 */
export function journalPart(parts: SimulatorParts): StatePart<'journal'> {
  const { journal, events } = parts
  const batches = new Batches()
  let restored: readonly Entry[] = []
  return {
    kind: 'journal',
    isLazy: true,
    watch(changed) {
      journal.follow(() => {
        for (const first of batches.olderThan(journal.oldest)) changed(first)
        if (batches.add(journal.newest)) changed(journal.newest)
      })
      // A reset deletes the earlier entries.
      events.on('reset.begins', () => batches.close())
    },
    *numbers() {
      for (const { number } of journal.entries()) batches.add(number)
      yield* batches.firsts()
    },
    write(first) {
      const batch = batches.get(first)
      if (batch === undefined || batch.last < journal.oldest) {
        batches.delete(first)
        return undefined
      }
      batches.closeAt(first)
      const from = Math.max(first, journal.oldest)
      const { value, bytes } = writeEntries(journal.after(from - 1, batch.last - from + 1))
      return { value: { oldest: journal.oldest, evicted: journal.lastEvicted, ...value }, bytes }
    },
    restore(rows) {
      const last = rows.at(-1)?.value
      if (last === undefined) return
      const all = rows.flatMap(({ value, bytes }) => readEntries(value, bytes))
      restored = all.filter(({ number }) => number >= last.oldest)
      journal.restore(restored, last.evicted)
      for (const { seq, value } of rows) batches.restore(seq, value.entries.at(-1)?.number ?? seq)
    },
    complete() {
      restoreLastAnswers(parts, restored)
      restored = []
    },
  }
}

/** The rows, oldest first. New entries go into the last row until it is written. */
class Batches {
  readonly #batches = new Map<number, Batch>()
  #open: Batch | undefined
  #newest = 0

  /** @returns whether the entry begins a row */
  add(number: number): boolean {
    if (number <= this.#newest) return false
    this.#newest = number
    if (this.#open !== undefined && number - this.#open.first < MAX_ENTRIES) {
      this.#open.last = number
      return false
    }
    this.#open = { first: number, last: number }
    this.#batches.set(number, this.#open)
    return true
  }

  restore(first: number, last: number): void {
    this.#batches.set(first, { first, last })
    this.#newest = Math.max(this.#newest, last)
  }

  get(first: number): Batch | undefined {
    return this.#batches.get(first)
  }

  firsts(): Iterable<number> {
    return [...this.#batches.keys()]
  }

  /** Adds nothing more to the last row. */
  close(): void {
    this.#open = undefined
  }

  closeAt(first: number): void {
    if (this.#open?.first === first) this.close()
  }

  delete(first: number): void {
    this.#batches.delete(first)
    this.closeAt(first)
  }

  /** The rows whose entries are all older than one. */
  *olderThan(oldest: number): Iterable<number> {
    for (const { first, last } of this.#batches.values()) {
      if (last >= oldest) return
      yield first
    }
  }
}

/** Restores the last answers about tasks, which the rules of the scenario may repeat, from the journal. */
function restoreLastAnswers({ active, tasks }: SimulatorParts, entries: readonly Entry[]): void {
  const { lastAnswers } = active.requestPolicy
  for (const entry of entries.slice(entries.findLastIndex(isScenarioChange) + 1)) {
    if (entry.type !== 'request') continue
    const { taskId = '', answeredAt } = entry.request
    const task = tasks.get(taskId)
    if (task === undefined || (task.erasedAt ?? -Infinity) >= answeredAt) continue
    const shown = shownIn(entry.request)
    if (shown !== undefined) lastAnswers.set(taskId, task.owner, shown)
  }
}
