import { isoTime } from '../../engine/clock/instants.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { formatDuration } from '../../inspect/findings/evidence.js'

/** Milliseconds. A smaller difference between the clocks does not confuse a reader. */
const NEGLIGIBLE = 1_000

/**
 * Says that the times of a report are those of the simulator's clock, if it differs from the machine's.
 * @param now the simulator's clock at the end of the run, in epoch milliseconds
 */
export function clockNote(now: number): string | undefined {
  const ahead = now - systemNow()
  if (Math.abs(ahead) < NEGLIGIBLE) return undefined
  const how = `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} real time`
  return `Times are on the simulator's clock, which is at ${isoTime(now).slice('2026-01-01T'.length, -1)}, ${how}.`
}
