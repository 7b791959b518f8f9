import type { CommitPart } from './commit-parts.js'

/** A commit with its number. */
export interface Commit {
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
