import type { Chance } from './random.js'
import { Recent } from './recent.js'

/** One occurrence of an identity. */
export interface Occurrence {
  /** The seed of the identity. All its occurrences share it. */
  readonly seed: Chance
  /** The fingerprint of the seed. */
  readonly fingerprint: number
  /** The number of the occurrence, from 1. */
  readonly number: number
}

/** The maximum number of counts to keep for identities without a retained occurrence. */
const MAX_RELEASED = 100_000

/**
 * Counts the occurrences of each identity. It keeps the count of an identity while any of its occurrences is retained,
 * so two retained occurrences never have the same number. It evicts other counts, the least recently used first.
 */
export class OccurrenceCounter {
  readonly #seed: Chance
  /** The counts of identities with retained occurrences, by fingerprint. */
  readonly #counts = new Map<number, number>()
  /** The number of released occurrences of those identities; no entry means 0. */
  readonly #released = new Map<number, number>()
  /** The counts of identities without retained occurrences, by fingerprint; possibly with others. */
  readonly recent = new Recent<number, number>(MAX_RELEASED)

  constructor(seed: Chance) {
    this.#seed = seed
  }

  /** Counts an occurrence without retaining it. */
  count(identity: string): Occurrence {
    const occurrence = this.#next(identity)
    this.recent.set(occurrence.fingerprint, occurrence.number)
    return occurrence
  }

  /** Counts an occurrence and retains it until {@link release}. Do not mix with {@link count} for one identity. */
  retain(identity: string): Occurrence {
    const occurrence = this.#next(identity)
    const { fingerprint, number } = occurrence
    if (number > 1 && !this.#counts.has(fingerprint)) this.#released.set(fingerprint, number - 1)
    this.#counts.set(fingerprint, number)
    return occurrence
  }

  /** Releases one retained occurrence of the identity with this fingerprint. */
  release(fingerprint: number): void {
    const count = this.#counts.get(fingerprint) ?? 0
    const released = (this.#released.get(fingerprint) ?? 0) + 1
    if (released < count) {
      this.#released.set(fingerprint, released)
      return
    }
    this.#counts.delete(fingerprint)
    this.#released.delete(fingerprint)
    this.recent.set(fingerprint, count)
  }

  /** The fingerprints of the identities with released or counted occurrences. */
  *releasedKeys(): Iterable<number> {
    yield* this.#released.keys()
    for (const fingerprint of this.recent.keys()) if (!this.#counts.has(fingerprint)) yield fingerprint
  }

  /** The number of released or counted occurrences of the identity with this fingerprint. */
  releasedOf(fingerprint: number): number {
    return this.#released.get(fingerprint) ?? this.recent.get(fingerprint) ?? 0
  }

  /** Restores one retained occurrence. Call {@link restoreReleased} first. */
  restore(fingerprint: number): void {
    const released = this.recent.get(fingerprint) ?? 0
    if (released > 0) this.#released.set(fingerprint, released)
    this.#counts.set(fingerprint, (this.#counts.get(fingerprint) ?? released) + 1)
  }

  /** Restores the number of released or counted occurrences. */
  restoreReleased(fingerprint: number, count: number): void {
    this.recent.set(fingerprint, count)
  }

  #next(identity: string): Occurrence {
    const seed = this.#seed.child(identity)
    const { fingerprint } = seed
    const count = this.#counts.get(fingerprint) ?? this.recent.get(fingerprint) ?? 0
    return { seed, fingerprint, number: count + 1 }
  }
}
