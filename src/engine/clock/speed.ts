/** Beyond this, a second holds more service than a simulator gets done in it. */
const FASTEST = 1_000_000

/** What the speed of a running clock is, for error messages. */
export const SPEED_FORM = `a number above 0 and up to ${FASTEST}`

/** Tells whether a value is a speed at which a clock can run, in seconds of service a second. */
export function isSpeed(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= FASTEST
}
