import type { AnsweredRequest, Events } from '../../engine/events.js'
import type { Account, MemoryBudget } from '../../engine/memory/budget.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'
import { bytesOfEntry, withoutBulk } from './entry-bytes.js'

/** Which entries to list, newest first. */
export interface JournalQuery {
  /** Only entries with a smaller number. */
  readonly before?: number | undefined
  readonly limit: number
  readonly matches?: (entry: Entry) => boolean
}

/** What a journal holds at the most; the oldest goes first. */
const MOST_ENTRIES = 10_000
const MOST_BYTES = 32 * 1024 * 1024

/** The bounded record of what happened. Numbers go on over a reset, so that whoever follows it can go on too. */
export class Journal {
  /** A ring, in which the entry with a number stands at its remainder: no request pays for the room that it needs. */
  readonly #ring: (Entry | undefined)[] = []
  /** The number of the oldest entry that is kept; beyond the newest where none is. */
  #oldest = 1
  readonly #followers = new Set<() => void>()
  #written = 0
  #lost = 0
  #isClosed = false
  readonly #account: Account

  constructor(events: Events, budget: MemoryBudget) {
    this.#account = budget.open('journal', () => this.#evict())
    // Each entry is made in one piece: copying one would cost every request as much as its answer.
    const next = () => this.#written + 1
    events.on('request.answered', (request) => {
      if (!isControl(request)) this.#write({ number: next(), at: request.at, type: 'request', request })
    })
    const changed = (task: Task, at: number) =>
      this.#write({ number: next(), at, type: 'task', task: withoutBulk(task) })
    events.on('task.created', (task) => changed(task, task.createdAt))
    events.on('task.started', changed)
    events.on('task.finished', changed)
    events.on('delivery.opened', (delivery) => {
      if (delivery.state !== 'lost') return
      const { createdAt: at } = delivery
      this.#write({ number: next(), at, type: 'delivery', delivery, attempt: undefined })
    })
    events.on('delivery.attempted', (delivery, attempt) =>
      this.#write({ number: next(), at: attempt.startedAt, type: 'delivery', delivery, attempt }),
    )
    events.on('receiver.switched_off', (receiver, at) =>
      this.#write({ number: next(), at, type: 'receiver', receiver }),
    )
    events.on('control.used', (what, at) => this.#write({ number: next(), at, type: 'control', what }))
    events.on('client.observed', (observation, at) =>
      this.#write({ number: next(), at, type: 'observation', observation }),
    )
  }

  /** The number of the newest entry; 0 where there is none. */
  get newest(): number {
    return this.#written
  }

  /** The number of the newest entry that had to go to make room; 0 where none had to. */
  get lost(): number {
    return this.#lost
  }

  /** Whether nobody will write into it any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The entries behind one, oldest first, as far as they are kept. @param number of the one before them */
  after(number: number, most: number): Entry[] {
    const entries: Entry[] = []
    for (let next = Math.max(number + 1, this.#oldest); entries.length < most; next++) {
      const entry = this.#at(next)
      if (entry === undefined) break
      entries.push(entry)
    }
    return entries
  }

  /** All entries that are kept, oldest first. */
  entries(): readonly Entry[] {
    return this.after(0, MOST_ENTRIES)
  }

  /** A page of entries, newest first. */
  list({ before = Infinity, limit, matches = () => true }: JournalQuery): {
    entries: Entry[]
    hasMore: boolean
  } {
    const entries: Entry[] = []
    for (let number = Math.min(before - 1, this.#written); number > 0; number--) {
      const entry = this.#at(number)
      if (entry === undefined) break
      if (!matches(entry)) continue
      if (entries.length === limit) return { entries, hasMore: true }
      entries.push(entry)
    }
    return { entries, hasMore: false }
  }

  /** How many follow it. */
  get followers(): number {
    return this.#followers.size
  }

  /**
   * Hears that there is a further entry, or that there will be none any more.
   * @returns a function that ends it
   */
  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** Forgets what was written; followers and numbers go on. */
  clear(): void {
    this.#ring.length = 0
    this.#oldest = this.#written + 1
    this.#account.clear()
  }

  /** Ends it for all who follow it. */
  close(): void {
    this.#isClosed = true
    for (const follower of [...this.#followers]) follower()
    this.#account.close()
  }

  #write(entry: Entry): void {
    this.#written = entry.number
    if (entry.number - this.#oldest >= MOST_ENTRIES) this.#forgetOldest()
    this.#ring[entry.number % MOST_ENTRIES] = entry
    this.#account.add(bytesOfEntry(entry))
    while (this.#account.bytes > MOST_BYTES) this.#forgetOldest()
    if (this.#followers.size > 0) for (const follower of [...this.#followers]) follower()
  }

  #at(number: number): Entry | undefined {
    return number < this.#oldest || number > this.#written ? undefined : this.#ring[number % MOST_ENTRIES]
  }

  /** The newest entry stays: its writer may still tell the followers of it. */
  #evict(): boolean {
    if (this.#oldest >= this.#written) return false
    this.#forgetOldest()
    return true
  }

  #forgetOldest(): void {
    const oldest = this.#ring[this.#oldest % MOST_ENTRIES]
    if (oldest !== undefined) this.#account.add(-bytesOfEntry(oldest))
    this.#ring[this.#oldest % MOST_ENTRIES] = undefined
    this.#lost = this.#oldest
    this.#oldest += 1
  }
}

/** Whoever watches is not a part of what happens. */
export function isControl({ operation, path }: AnsweredRequest): boolean {
  return operation?.startsWith('sim.') === true || path.startsWith('/_sim/')
}
