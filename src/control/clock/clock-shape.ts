import type { Simulator } from '../../simulator.js'
import type { ClockShape } from '../shapes.js'

/** Tells what time it is, how it runs, and when something is planned. */
export function clockShape({ clock }: Simulator): ClockShape {
  const { mode, speed, next } = clock
  return {
    now: new Date(clock.now()).toISOString(),
    mode,
    speed,
    next: next === undefined ? null : new Date(next).toISOString(),
  }
}
