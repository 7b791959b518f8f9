import { stopwatch, systemNow } from '../../engine/clock/system-clock.js'

/** The duration of the lease without a renewal, in milliseconds. */
export const LEASE = 1_500
/** The duration of the lease until the first commit: while a leader restores its state, it cannot renew the lease. */
export const FIRST_LEASE = 5_000
/** The time between two renewals, in milliseconds. */
export const RENEWAL = 500
// The clocks of two machines run at speeds that differ slightly.
const MARGIN = 150

/** An instant on the steady clock and on the wall clock of this machine. */
export interface Instant {
  readonly steady: number
  readonly wall: number
}

/** Reads both clocks: the steady one does not advance while the machine sleeps, and the wall clock may be set back. */
export function instant(): Instant {
  return { steady: stopwatch(), wall: systemNow() }
}

/**
 * The lease as this process knows it. It ends before the lease in Redis, because it begins when the renewal is sent. A
 * process that was suspended therefore knows at once that another process may lead.
 */
export class Lease {
  #sent: Instant | undefined
  readonly #now: () => Instant

  constructor(now = instant) {
    this.#now = now
  }

  /** @param sent when this process sent the renewal that Redis has confirmed */
  confirm(sent: Instant): void {
    this.#sent = sent
  }

  end(): void {
    this.#sent = undefined
  }

  isCertain(): boolean {
    if (this.#sent === undefined) return false
    const { steady, wall } = this.#now()
    return Math.max(steady - this.#sent.steady, wall - this.#sent.wall) < LEASE - MARGIN
  }
}
