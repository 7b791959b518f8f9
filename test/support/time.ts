import { ClockControl } from '../../src/engine/clock/clock-control.js'
import { InFlight } from '../../src/engine/clock/in-flight.js'
import { Schedule } from '../../src/engine/clock/schedule.js'
import { VirtualClock } from '../../src/engine/clock/virtual-clock.js'

/** Creates a manual clock at 0, its schedule and control, and a list of errors. */
export function manualTime({ patience = 1_000 } = {}) {
  const errors: unknown[] = []
  const clock = new VirtualClock(0, 0)
  const schedule = new Schedule(clock, (error) => errors.push(error))
  const inFlight = new InFlight()
  const control = new ClockControl(clock, schedule, inFlight, { patience, isDated: false })
  return { clock, schedule, inFlight, control, errors }
}
