import { stopwatch } from '../../engine/clock/system-clock.js'
import type { Row } from '../ledger.js'
import { pause, within } from '../wait.js'
import { argumentsOf, type CommitPart, commitParts } from './commit-parts.js'
import type { LedgerKeys } from './keys.js'
import { type Instant, instant, LEASE } from './lease.js'
import type { Argument, RedisConnection } from './redis-connection.js'
import { COMMIT } from './scripts.js'

/** The maximum time that a commit waits for Redis, in milliseconds, for each 10 MB or less. */
const TIMEOUT = 4_000
/** In bytes. Only an import has larger commits. */
const LARGE = 10_000_000
/** The time between two attempts while there is no connection, in milliseconds. */
const PAUSE = 50

/** The outcome of a commit: `lost` if Redis has lost earlier commits that this process no longer has. */
type Outcome = 'stored' | 'refused' | 'lost'

/** The leadership to which commits belong. */
interface CommitOptions {
  readonly keys: LedgerKeys
  readonly epoch: number
  /** The number of the last commit before this leadership. */
  readonly last: number
  /** The names of the hashes that exist. */
  readonly index: readonly string[]
  /** Receives the instant at which a commit was sent that renewed the lease. */
  readonly onStored: (sent: Instant) => void
  /** Receives the number of commits that Redis had lost and that this process has stored again. */
  readonly onRecovered: (count: number) => void
}

/** The commits of one leadership, one after the other. */
export class RedisCommits {
  readonly #connection: RedisConnection
  readonly #options: CommitOptions
  readonly #withBytes: Set<string>
  readonly #recent: RecentCommits
  #sent: number
  #confirmed: number

  constructor(connection: RedisConnection, options: CommitOptions) {
    this.#connection = connection
    this.#options = options
    this.#recent = new RecentCommits(options.last)
    this.#sent = options.last
    this.#confirmed = options.last
    this.#withBytes = new Set(options.index.filter((name) => name.startsWith('bytes:')))
  }

  /** Whether a commit was stored. */
  get hasStored(): boolean {
    return this.#confirmed > this.#options.last
  }

  /**
   * Stores rows. Call it again only after the promise has settled.
   * @throws LedgerError if Redis rejects the rows, or does not answer in time; in the latter case, it may have stored them
   */
  async store(rows: readonly Row[]): Promise<Outcome> {
    this.#sent += 1
    const commit: Commit = { number: this.#sent, parts: commitParts(rows, this.#withBytes) }
    let reply = await this.#send(commit, this.#confirmed)
    if (reply < 0) {
      const missing = this.#recent.after(-1 - reply)
      if (missing === undefined) return 'lost'
      for (const each of missing) await this.#send(each, 0)
      reply = await this.#send(commit, this.#confirmed)
      this.#options.onRecovered(missing.length)
    }
    if (reply !== 1) return 'refused'
    this.#confirmed = commit.number
    this.#recent.add(commit, stopwatch())
    return 'stored'
  }

  /** Sends a commit until Redis answers, because a connection that breaks may or may not have delivered it. */
  async #send(commit: Commit, confirmed: number): Promise<number> {
    const commands = this.#commands(commit, confirmed)
    const deadline = stopwatch() + timeoutOf(commands)
    for (;;) {
      try {
        const sent = instant()
        const left = deadline - stopwatch()
        const answer = this.#connection.sendAll(commands)
        const reply = Number(await within(left, answer, () => this.#connection.tooLate()))
        if (reply === 1) this.#options.onStored(sent)
        return reply
      } catch (error) {
        if (this.#connection.isReady || stopwatch() >= deadline) throw error
        await pause(PAUSE)
      }
    }
  }

  #commands({ number, parts }: Commit, confirmed: number): Argument[][] {
    const { keys, epoch } = this.#options
    return parts.map((part, at) => {
      const names = keys.ofCommit(part.keys())
      const isLast = at === parts.length - 1
      const numbers = [epoch, number, confirmed, isLast ? 1 : 0, LEASE]
      const start = ['EVAL', COMMIT, String(names.length), ...names, ...numbers.map(String)]
      return [...start, ...argumentsOf(part)]
    })
  }
}

/** The maximum time for commands, in milliseconds: an import sends a whole state at once. */
export function timeoutOf(commands: readonly (readonly Argument[])[]): number {
  const bytes = commands.flat().reduce((sum, argument) => sum + argument.length, 0)
  return TIMEOUT * Math.max(1, bytes / LARGE)
}

/** A commit with its number. */
interface Commit {
  readonly number: number
  readonly parts: readonly CommitPart[]
}

/** In milliseconds. With its default settings, Redis loses at most the rows of the last two seconds in a crash. */
const KEPT_TIME = 5_000
/** In bytes. */
const KEPT_SIZE = 64 * 1024 * 1024

interface Kept {
  readonly commit: Commit
  readonly at: number
  readonly size: number
}

/** The latest commits that Redis has confirmed, to store them again if Redis loses them in a crash. */
export class RecentCommits {
  #kept: Kept[] = []
  #size = 0
  /** The number of the last commit that is not kept. */
  #dropped: number

  /** @param last the number of the commit before the first one that is added */
  constructor(last: number) {
    this.#dropped = last
  }

  /**
   * Adds a confirmed commit.
   * @param at the time in milliseconds
   */
  add(commit: Commit, at: number): void {
    const size = sizeOf(commit)
    this.#kept.push({ commit, at, size })
    this.#size += size
    const first = this.#kept.findIndex((each) => !this.#drops(each, at))
    if (first !== 0) this.#kept.splice(0, first === -1 ? this.#kept.length : first)
  }

  /**
   * The commits after the one with a number.
   * @returns undefined if one of them is not kept
   */
  after(number: number): readonly Commit[] | undefined {
    if (number < this.#dropped) return undefined
    return this.#kept.map(({ commit }) => commit).filter((commit) => commit.number > number)
  }

  #drops({ commit, at, size }: Kept, now: number): boolean {
    if (at >= now - KEPT_TIME && this.#size <= KEPT_SIZE) return false
    this.#dropped = commit.number
    this.#size -= size
    return true
  }
}

/** The approximate size in bytes. */
function sizeOf({ parts }: Commit): number {
  let size = 0
  for (const part of parts) for (const { set } of part.values()) for (const each of set) size += each.length
  return size
}
