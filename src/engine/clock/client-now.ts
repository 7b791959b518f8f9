import type { Clock } from './clock.js'
import { systemNow } from './system-clock.js'

/**
 * The time on the clock of a client, in epoch milliseconds: that of the machine, because the client measures its waits
 * and the age of signatures with that; on a manual clock, the time of the simulator.
 */
export function clientNow(clock: Pick<Clock, 'speed' | 'now'>): number {
  return clock.speed === 0 ? clock.now() : systemNow()
}
