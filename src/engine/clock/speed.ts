/** At a higher speed, more jobs become due per second than a simulator can run. */
const FASTEST = 1_000_000

/** The valid speeds of a running clock, for error messages. */
export const SPEED_FORM = `a number above 0 and up to ${FASTEST}`

/** Whether a value is a speed at which a clock can run, in seconds per real second. */
export function isSpeed(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= FASTEST
}
