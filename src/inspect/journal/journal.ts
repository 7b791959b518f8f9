import type { Events, ForgetReason } from '../../engine/events.js'
import type { Account, MemoryBudget } from '../../engine/memory/budget.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Task } from '../../engine/tasks/task.js'
import { bytesOfEntry, compactTask, type Entry } from './entry.js'

/** Selects entries, newest first. */
export interface JournalQuery {
  /** Only entries with a smaller number. */
  readonly before?: number | undefined
  readonly limit: number
  readonly matches?: (entry: Entry) => boolean
}

const MAX_ENTRIES = 10_000
const MAX_BYTES = 32 * 1024 * 1024

/**
 * The bounded record of events, which evicts the oldest entries. A reset does not restart the numbers, so followers can
 * continue.
 */
export class Journal {
  readonly #ring = new EntryRing(MAX_ENTRIES)
  /** The number of the oldest stored entry; `#newest + 1` if the journal is empty. */
  #oldest = 1
  /** The numbers of the entries about forgotten tasks, by the id of the task. */
  readonly #forgotten = new Map<string, number>()
  readonly #followers = new Set<() => void>()
  #newest = 0
  #lastEvicted = 0
  #isClosed = false
  readonly #account: Account

  constructor(events: Events, budget: MemoryBudget) {
    this.#account = budget.open('journal', () => this.#evictForBudget())
    // Each entry is built as one literal: a spread would slow down every request.
    events.on('request.answered', (request) => {
      if (!isControl(request))
        this.#write({ number: this.#newest + 1, at: request.at, type: 'request', request })
    })
    const writeTask = (task: Task, at = task.createdAt) =>
      this.#write({ number: this.#newest + 1, at, type: 'task', task: compactTask(task) })
    events.on('task.created', writeTask)
    events.on('task.started', writeTask)
    events.on('task.finished', writeTask)
    events.on('task.forgotten', ({ id: taskId }, reason, at) =>
      this.#write({ number: this.#newest + 1, at, type: 'forgotten', taskId, reason }),
    )
    events.on('delivery.opened', (delivery) => {
      if (delivery.state !== 'lost') return
      const { createdAt: at } = delivery
      this.#write({ number: this.#newest + 1, at, type: 'delivery', delivery, attempt: undefined })
    })
    events.on('delivery.attempted', (delivery, attempt) =>
      this.#write({ number: this.#newest + 1, at: attempt.startedAt, type: 'delivery', delivery, attempt }),
    )
    events.on('receiver.switched_off', (receiver, at) =>
      this.#write({ number: this.#newest + 1, at, type: 'receiver', receiver }),
    )
    events.on('control.used', (what, at, taskId, detail) =>
      this.#write({ number: this.#newest + 1, at, type: 'control', what, taskId, detail }),
    )
    events.on('client.observed', (observation, at) =>
      this.#write({ number: this.#newest + 1, at, type: 'observation', observation }),
    )
  }

  /** The number of the newest entry; 0 before the first. */
  get newest(): number {
    return this.#newest
  }

  /** The number of the oldest stored entry; that of the next entry if there is none. */
  get oldest(): number {
    return this.#oldest
  }

  /** The number of the last evicted entry; 0 if none. */
  get lastEvicted(): number {
    return this.#lastEvicted
  }

  /** Whether the journal is closed and gets no further entries. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The stored entries with a larger number, oldest first; at most `limit`. */
  after(number: number, limit: number): Entry[] {
    const entries: Entry[] = []
    for (let next = Math.max(number + 1, this.#oldest); entries.length < limit; next++) {
      const entry = this.#at(next)
      if (entry === undefined) break
      entries.push(entry)
    }
    return entries
  }

  /** All stored entries, oldest first. */
  entries(): readonly Entry[] {
    return this.after(0, MAX_ENTRIES)
  }

  /** A page of entries, newest first. */
  list({ before = Infinity, limit, matches = () => true }: JournalQuery): {
    entries: Entry[]
    hasMore: boolean
  } {
    const entries: Entry[] = []
    for (let number = Math.min(before - 1, this.#newest); number > 0; number--) {
      const entry = this.#at(number)
      if (entry === undefined) break
      if (!matches(entry)) continue
      if (entries.length === limit) return { entries, hasMore: true }
      entries.push(entry)
    }
    return { entries, hasMore: false }
  }

  /** Why a task was forgotten; undefined if it was not, or if the journal no longer says it. */
  whyForgotten(taskId: string): ForgetReason | undefined {
    const entry = this.#at(this.#forgotten.get(taskId) ?? 0)
    return entry?.type === 'forgotten' ? entry.reason : undefined
  }

  /** The number of followers. */
  get followers(): number {
    return this.#followers.size
  }

  /**
   * Calls a function after each new entry and when the journal is closed.
   * @returns a function that unsubscribes
   */
  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** Deletes all entries; keeps the followers and continues the numbers. */
  clear(): void {
    this.#ring.clear()
    this.#forgotten.clear()
    this.#oldest = this.#newest + 1
    this.#account.clear()
  }

  /** Continues the journal of another process. */
  restore(entries: readonly Entry[], lastEvicted: number): void {
    this.#oldest = entries[0]?.number ?? 1
    for (const entry of entries) this.#write(entry)
    this.#lastEvicted = lastEvicted
  }

  /** Closes the journal and notifies the followers. */
  close(): void {
    this.#isClosed = true
    for (const follower of [...this.#followers]) follower()
    this.#account.close()
  }

  #write(entry: Entry): void {
    this.#newest = entry.number
    if (entry.number - this.#oldest >= MAX_ENTRIES) this.#evictOldest()
    this.#account.add(this.#ring.add(entry))
    if (entry.type === 'forgotten') this.#forgotten.set(entry.taskId, entry.number)
    while (this.#account.bytes > MAX_BYTES) this.#evictOldest()
    if (this.#followers.size > 0) for (const follower of [...this.#followers]) follower()
  }

  #at(number: number): Entry | undefined {
    return number < this.#oldest || number > this.#newest ? undefined : this.#ring.get(number)
  }

  /** Keeps the newest entry, because followers may not have read it yet. */
  #evictForBudget(): boolean {
    if (this.#oldest >= this.#newest) return false
    this.#evictOldest()
    return true
  }

  #evictOldest(): void {
    const oldest = this.#forgotten.size === 0 ? undefined : this.#at(this.#oldest)
    if (oldest?.type === 'forgotten') this.#forgotten.delete(oldest.taskId)
    this.#account.add(-this.#ring.delete(this.#oldest))
    this.#lastEvicted = this.#oldest
    this.#oldest += 1
  }
}

/** Whether a request is to the control API, which the journal and the counters omit. */
export function isControl({ operation, path }: AnsweredRequest): boolean {
  return operation?.startsWith('sim.') === true || path.startsWith('/_sim/')
}

/**
 * The last entries of a journal, by number. The garbage collector copies each object that lives as long as an entry
 * twice. Therefore the most frequent entries, those of requests and tasks, are stored in columns and built when they
 * are read.
 */
class EntryRing {
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
    this.#subjects[index] =
      entry.type === 'request' ? entry.request : entry.type === 'task' ? entry.task : entry
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
