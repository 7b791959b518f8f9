import { startTimer, stopwatch } from '../engine/clock/system-clock.js'
import { flush } from './output.js'

/** npm passes a signal on to a process that has got it from the terminal already. In milliseconds. */
const SAME_SIGNAL = 100

/**
 * Resolves at the first SIGINT or SIGTERM. A second one ends the process at once, with the status that shells give to
 * a process that a signal has ended.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: { name: string; at: number } | undefined
    const hear = (name: NodeJS.Signals, number: number) => {
      if (first === undefined) {
        first = { name, at: stopwatch() }
        resolve()
      } else if (name !== first.name || stopwatch() - first.at > SAME_SIGNAL) {
        flush()
        process.exit(128 + number)
      }
    }
    process.on('SIGINT', hear).on('SIGTERM', hear)
  })
}

/** Milliseconds that a shutdown may take, or that anything may keep the process alive after it. */
const LONGEST_SHUTDOWN = 500

/** Ends the process after a moment, even if a module of the user has something left to do. */
export function exitSoon(): void {
  startTimer(LONGEST_SHUTDOWN, () => {
    flush()
    process.exit()
  })
}
