/** Supplies the current time, and one alarm for the schedule. */
export interface Clock {
  /** Seconds on this clock per real second; 0 if only {@link moveTo} changes it. */
  readonly speed: number
  /** The current time, in epoch milliseconds. It never decreases. */
  now(): number
  /**
   * Sets the alarm, which calls `wake` once the clock has reached `at`. A new alarm replaces the previous one;
   * `undefined` removes it. At speed 0 the clock never calls `wake`: the caller of {@link moveTo} checks which jobs are
   * due.
   */
  setAlarm(at: number | undefined, wake: () => void): void
  /** Moves the clock forward to `at`; does nothing if `at` has passed. */
  moveTo(at: number): void
}

/** At a higher speed, more jobs become due per second than a simulator can run. */
const FASTEST = 1_000_000

/** The valid speeds of a running clock, for error messages. */
export const SPEED_FORM = `a number above 0 and up to ${FASTEST}`

/** Whether a value is a speed at which a clock can run, in seconds per real second. */
export function isSpeed(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= FASTEST
}
