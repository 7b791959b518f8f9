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
