import { startTimer, stopwatch } from '../engine/clock/system-clock.js'
import { flush } from './output.js'

/** Within this many milliseconds, the same signal counts once: npm forwards a signal that the terminal also sends. */
const SAME_SIGNAL = 100

/**
 * Resolves at the first SIGINT or SIGTERM. The second signal exits immediately, with the status that shells
 * report for a process that a signal ended.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: { name: string; at: number } | undefined
    const onSignal = (name: NodeJS.Signals, number: number) => {
      if (first === undefined) {
        first = { name, at: stopwatch() }
        resolve()
      } else if (name !== first.name || stopwatch() - first.at > SAME_SIGNAL) {
        flush()
        process.exit(128 + number)
      }
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
}

/** Resolves when stdin ends, as when the process at its other end has ended, in whatever way. */
export function endOfStdin(): Promise<void> {
  const { stdin } = process
  return new Promise((resolve) => {
    stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve())
    stdin.resume()
    // A server that has stopped for another reason exits.
    if ('unref' in stdin) stdin.unref()
  })
}

/** The maximum duration of a shutdown, in milliseconds. */
const MAX_SHUTDOWN = 500

/** Exits soon, even if a module of the user keeps the process alive. */
export function exitSoon(): void {
  startTimer(MAX_SHUTDOWN, () => {
    flush()
    process.exit()
  })
}
