import type { ClockChange, ClockShape, UpcomingShape } from '../../control/shapes.js'
import type { Call } from '../call.js'

/** The clock. */
export type ClockControl = ReturnType<typeof clockControl>

/** Creates the functions for the clock. */
export function clockControl(call: Call) {
  const change = (request: ClockChange) => call<ClockShape>('POST', '/clock', request)
  return {
    /** Reads the clock. */
    read: () => call<ClockShape>('GET', '/clock'),
    /** Reads what happens next: the next event, the next webhook and the next expiry of URLs. */
    upcoming: () => call<UpcomingShape>('GET', '/clock/upcoming'),
    /**
     * Advances the clock, and resolves when all due events have happened, including webhook attempts.
     * @param duration such as `30s`
     */
    advance: (duration: string) => change({ advance: duration }),
    /** Advances the clock to an instant in ISO 8601 format. */
    advanceTo: (instant: string) => change({ to: instant }),
    /** Advances the clock until no events are scheduled, or by at most a limit such as `30d`. */
    runUntilIdle: (limit?: string) => change({ run_until_idle: limit ?? true }),
    /** Pauses the clock, which then moves only when a request advances it. */
    freeze: () => change({ mode: 'manual' }),
    /** Resumes the clock. At a speed of 60, a simulated minute takes a second. */
    run: (speed = 1) => change({ mode: 'real', speed }),
  }
}
