import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'
import { Progress } from '../../explore/progress.js'
import type { RunEnd } from '../../explore/run.js'
import { formatDuration } from '../../inspect/findings/evidence.js'
import type { Simulator } from '../../simulator/simulator.js'

/** How often to look whether the client still makes progress, in milliseconds of real time. */
const INTERVAL = 50

/** Notices that a client hangs. */
export interface HangWatch {
  /** Resolves when the client hangs. */
  readonly hang: Promise<RunEnd>
  stop(): void
}

/**
 * Watches a client. It hangs if it makes no progress for longer than the patience, or if its run exceeds the limit:
 * a client may order one task after the other for ever, or stop the clock.
 * @param patience in milliseconds on the clock
 * @param limit in milliseconds of real time
 */
export function watchForHang(sim: Simulator, patience: number, limit: number): HangWatch {
  const progress = new Progress(sim)
  const begin = stopwatch()
  let stop = () => {}
  const hang = new Promise<RunEnd>((resolve) => {
    const look = () => {
      if (sim.clock.now() - progress.last.at > patience)
        resolve({
          type: 'hang',
          message: `It made no progress for ${formatDuration(patience)} on the clock.`,
        })
      else if (stopwatch() - begin > limit)
        resolve({
          type: 'hang',
          message: `It still ran after ${formatDuration(limit)}, far longer than without failures.`,
        })
      else stop = startTimer(INTERVAL, look, true)
    }
    look()
  })
  return {
    hang,
    stop() {
      stop()
      progress.stop()
    },
  }
}
