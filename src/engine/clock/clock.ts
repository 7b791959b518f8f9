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
