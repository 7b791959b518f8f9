import type { Chance } from './random.js'

/** What is the same again: the root of its chance, and how often it has come, from 1 on. */
export interface Repetition {
  readonly same: Chance
  readonly number: number
}

/** What counts are kept in: a map, or one that begins anew when it is full. */
type Counts = Pick<Map<number, number>, 'get'> & {
  set(fingerprint: number, count: number): unknown
  delete(fingerprint: number): unknown
}

/** Counts how often the same comes, by the fingerprints of the texts that stand for it. */
export class Repetitions {
  readonly #chance: Chance
  readonly #counts: Counts
  /** How many of the same were forgotten, where others of it are left. */
  readonly #forgotten = new Map<number, number>()

  /** @param chance the root of all that is drawn for what comes */
  constructor(chance: Chance, counts: Counts = new Map()) {
    this.#chance = chance
    this.#counts = counts
  }

  /** Counts what a text stands for once more. */
  next(identity: string): Repetition {
    const same = this.#chance.child(identity)
    const number = (this.#counts.get(same.fingerprint) ?? 0) + 1
    this.#counts.set(same.fingerprint, number)
    return { same, number }
  }

  /** Forgets that something has come once. When all that was the same is forgotten, it counts from 1 again. */
  forget(identity: string): void {
    const { fingerprint } = this.#chance.child(identity)
    const number = (this.#forgotten.get(fingerprint) ?? 0) + 1
    if (number === this.#counts.get(fingerprint)) {
      this.#counts.delete(fingerprint)
      this.#forgotten.delete(fingerprint)
    } else {
      this.#forgotten.set(fingerprint, number)
    }
  }
}
