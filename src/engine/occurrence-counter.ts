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
  readonly #counts = new FingerprintTable()
  /** The number of released occurrences of those identities; no entry means 0. */
  readonly #released = new FingerprintTable()
  /** The counts of identities without retained occurrences, by fingerprint; possibly with others. */
  readonly recent = new Recent<number, number>(MAX_RELEASED, () => new FingerprintTable())

  constructor(seed: Chance) {
    this.#seed = seed
  }

  /** The first occurrence of an identity, which is not counted. */
  first(identity: string): Occurrence {
    const seed = this.#seed.child(identity)
    return { seed, fingerprint: seed.fingerprint, number: 1 }
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

const EMPTY = -1
const MIN_CAPACITY = 16

/** A table without entries; its first entry replaces it. */
const NO_KEYS = new Float64Array(1).fill(EMPTY)
const NO_VALUES = new Uint32Array(1)

/**
 * A map from fingerprints to whole numbers of at most 32 bits. A fingerprint is a whole number that is not negative, and
 * its low bits are evenly distributed.
 *
 * A hash table with open addressing, in two typed arrays. A `Map` takes three times as long, because it stores a number
 * of more than 31 bits as an object.
 */
export class FingerprintTable {
  #keys = NO_KEYS
  #values = NO_VALUES
  #size = 0

  /** The number of entries. */
  get size(): number {
    return this.#size
  }

  get(key: number): number | undefined {
    const slot = this.#slotOf(key)
    return this.#keys[slot] === key ? this.#values[slot] : undefined
  }

  has(key: number): boolean {
    return this.#keys[this.#slotOf(key)] === key
  }

  set(key: number, value: number): void {
    let slot = this.#slotOf(key)
    if (this.#keys[slot] !== key) {
      this.#size += 1
      if (this.#size * 2 > this.#keys.length) {
        this.#resize(Math.max(MIN_CAPACITY, this.#keys.length * 2))
        slot = this.#slotOf(key)
      }
      this.#keys[slot] = key
    }
    this.#values[slot] = value
  }

  delete(key: number): void {
    const slot = this.#slotOf(key)
    if (this.#keys[slot] !== key) return
    this.#size -= 1
    this.#empty(slot)
    if (this.#keys.length > MIN_CAPACITY && this.#size * 8 < this.#keys.length)
      this.#resize(this.#keys.length / 2)
  }

  /** The fingerprints, in no order. */
  *keys(): Iterable<number> {
    for (const key of this.#keys) if (key !== EMPTY) yield key
  }

  /** The slot with a key, or the empty slot where it belongs. At least half of the slots are empty. */
  #slotOf(key: number): number {
    const keys = this.#keys
    const mask = keys.length - 1
    let slot = key & mask
    for (;;) {
      const found = keys[slot]
      if (found === key || found === EMPTY) return slot
      slot = (slot + 1) & mask
    }
  }

  /** Empties a slot. Moves later entries back, so that no empty slot lies between an entry and its first choice. */
  #empty(slot: number): void {
    const keys = this.#keys
    const mask = keys.length - 1
    let hole = slot
    for (let next = (hole + 1) & mask; ; next = (next + 1) & mask) {
      const key = keys[next] ?? EMPTY
      if (key === EMPTY) break
      const distance = (next - (key & mask)) & mask
      if (distance < ((next - hole) & mask)) continue
      keys[hole] = key
      this.#values[hole] = this.#values[next] ?? 0
      hole = next
    }
    keys[hole] = EMPTY
  }

  #resize(capacity: number): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(capacity).fill(EMPTY)
    this.#values = new Uint32Array(capacity)
    for (let slot = 0; slot < keys.length; slot++) {
      const key = keys[slot] ?? EMPTY
      if (key === EMPTY) continue
      const place = this.#slotOf(key)
      this.#keys[place] = key
      this.#values[place] = values[slot] ?? 0
    }
  }
}
