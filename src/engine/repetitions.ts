import type { Chance } from './random.js'

/** What is the same again: the root of its chance, and how often it has come, from 1 on. */
export interface Repetition {
  readonly same: Chance
  readonly number: number
}

/** What counts are kept in, and for how long. */
type Counts = Pick<Map<number, number>, 'get'> & { set(fingerprint: number, count: number): unknown }

/** Counts how often the same comes, by the fingerprints of the texts that stand for it. */
export class Repetitions {
  readonly #chance: Chance
  readonly #counts: Counts

  /** @param chance the root of all that is drawn for what comes */
  constructor(chance: Chance, counts: Counts) {
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
}
