import TinyQueue from 'tinyqueue'
import type { Awaitable } from '../awaitable.js'
import type { Clock } from './clock.js'

/** Something that will happen at an instant. */
export interface Scheduled {
  /** Epoch milliseconds. */
  readonly at: number
  /** Takes it off the timeline; does nothing once it has happened. */
  cancel(): void
}

class Entry implements Scheduled {
  canceled = false
  constructor(
    readonly at: number,
    readonly order: number,
    readonly happen: (at: number) => Awaitable<unknown>,
    readonly onCancel: () => void,
  ) {}
  cancel(): void {
    if (this.canceled) return
    this.canceled = true
    this.onCancel()
  }
}

const byTime = (a: Entry, b: Entry): number => a.at - b.at || a.order - b.order

/**
 * The ordered queue of what is due, driven by one alarm of the clock. Things happen in the order of their
 * instants, ties in the order in which they were put on, one after the other.
 */
export class Timeline {
  #queue = new TinyQueue<Entry>([], byTime)
  #order = 0
  #catchingUp: Promise<void> | undefined
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void

  /** @param onError hears of what was thrown by something that happened; the timeline itself goes on */
  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  /**
   * Lets something happen at an instant, given in epoch milliseconds; an instant in the past is due at once.
   * @param happen is told the instant for which it was planned, which on a late timer is earlier than now
   */
  at(at: number, happen: (at: number) => Awaitable<unknown>): Scheduled {
    const entry = new Entry(at, this.#order++, happen, this.#forget)
    this.#queue.push(entry)
    if (this.#queue.peek() === entry && this.#catchingUp === undefined) this.#setAlarm()
    return entry
  }

  /** The instant of what comes next, in epoch milliseconds, or undefined when nothing is planned. */
  get next(): number | undefined {
    return this.#head()?.at
  }

  /**
   * Lets everything happen that is due by now.
   * @returns undefined where nothing was left to wait for
   */
  catchUp(): Promise<void> | undefined {
    if (this.#catchingUp !== undefined) return this.#catchingUp
    if (!this.#isDue()) return undefined
    this.#catchingUp = this.#work().finally(() => {
      this.#catchingUp = undefined
      this.#setAlarm()
    })
    return this.#catchingUp
  }

  /** Takes everything off the timeline. */
  clear(): void {
    this.#queue = new TinyQueue<Entry>([], byTime)
    this.#setAlarm()
  }

  async #work(): Promise<void> {
    while (this.#isDue()) {
      const entry = this.#queue.pop() as Entry
      try {
        await entry.happen(entry.at)
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  #isDue(): boolean {
    const head = this.#head()
    return head !== undefined && head.at <= this.#clock.now()
  }

  #head(): Entry | undefined {
    while (this.#queue.peek()?.canceled) this.#queue.pop()
    return this.#queue.peek()
  }

  #setAlarm(): void {
    this.#clock.setAlarm(this.next, this.#wake)
  }

  readonly #wake = (): void => {
    this.catchUp()
  }

  readonly #forget = (): void => {
    if (this.#catchingUp === undefined) this.#setAlarm()
  }
}
