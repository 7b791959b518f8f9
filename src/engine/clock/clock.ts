/** The source of now, and the one alarm that the timeline sets on it. */
export interface Clock {
  /** How many seconds pass on it in a real second; 0 where it stands still until it is moved. */
  readonly speed: number
  /** Now, in epoch milliseconds; never earlier than an answer given before. */
  now(): number
  /**
   * Sets the one alarm: `wake` is called once the clock has reached `at`. A new alarm replaces the old one;
   * `undefined` takes it away. A clock that stands still calls nothing: who moves it looks for what is due.
   */
  setAlarm(at: number | undefined, wake: () => void): void
  /** Moves now forward to `at`; does nothing where that is already past. */
  moveTo(at: number): void
}
