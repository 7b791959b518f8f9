import type { AnsweredRequest } from '../../engine/events.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'
import { bytesOfEntry } from './entry-bytes.js'

/**
 * The last entries of a journal, by number. The garbage collector copies each object that lives as long as an entry twice.
 * Therefore the most frequent entries, those of requests and tasks, are stored in columns and built when they are read.
 */
export class EntryRing {
  readonly #length: number
  // An entry is at `number % length`, so that it replaces the one that is so much older.
  readonly #times: number[] = []
  /** The request or the task itself, or the whole entry of another type. */
  readonly #subjects: (AnsweredRequest | Task | Entry | undefined)[] = []
  readonly #sizes: number[] = []

  /** @param length the maximum number of entries */
  constructor(length: number) {
    this.#length = length
  }

  /** Adds an entry. @returns the bytes that it retains */
  add(entry: Entry): number {
    const index = entry.number % this.#length
    const size = bytesOfEntry(entry)
    this.#times[index] = entry.at
    this.#subjects[index] = subjectOf(entry)
    this.#sizes[index] = size
    return size
  }

  /** The entry with a number, which must be one of the last; undefined if it was not added, or was deleted. */
  get(number: number): Entry | undefined {
    const index = number % this.#length
    const at = this.#times[index] as number
    const subject = this.#subjects[index]
    if (subject === undefined || 'type' in subject) return subject
    return 'plan' in subject
      ? { number, at, type: 'task', task: subject }
      : { number, at, type: 'request', request: subject }
  }

  /** Deletes the entry with a number. @returns the bytes that it retained */
  delete(number: number): number {
    const index = number % this.#length
    const size = this.#sizes[index] ?? 0
    this.#subjects[index] = undefined
    this.#sizes[index] = 0
    return size
  }

  /** Deletes all entries. */
  clear(): void {
    for (const column of [this.#times, this.#subjects, this.#sizes]) column.length = 0
  }
}

function subjectOf(entry: Entry): AnsweredRequest | Task | Entry {
  switch (entry.type) {
    case 'request':
      return entry.request
    case 'task':
      return entry.task
    default:
      return entry
  }
}
