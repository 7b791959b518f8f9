/** The source of now, with one alarm, which the schedule sets. */
export interface Clock {
  /** Seconds on this clock per real second; 0 if only {@link moveTo} changes it. */
  readonly speed: number
  /** Now, in epoch milliseconds; never goes back. */
  now(): number
  /**
   * Sets the alarm, which calls `wake` once the clock has reached `at`. A new alarm replaces the previous one;
   * `undefined` removes it. At speed 0 no alarm is called: the caller of {@link moveTo} checks what is due.
   */
  setAlarm(at: number | undefined, wake: () => void): void
  /** Moves now forward to `at`; does nothing if `at` has passed. */
  moveTo(at: number): void
}
