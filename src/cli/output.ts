import pc from 'picocolors'
import { startTimer } from '../engine/clock/system-clock.js'

/** Colours on a terminal, none in a pipe. */
export const colors = pc.createColors(process.stdout.isTTY === true && !process.env['NO_COLOR'])

/** Milliseconds; too short to be seen by a person. */
const GATHERING = 20

let waiting: string[] = []

/**
 * Prints a line. Lines that come close together are written at once: a write to a pipe costs as much as an
 * answer to a request.
 */
export function print(line: string): void {
  if (waiting.length === 0) startTimer(GATHERING, flush)
  waiting.push(line)
}

// Whoever read the output may leave, or the disk may be full: the server goes on without a log.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** Writes what waits. */
export function flush(): void {
  if (waiting.length === 0) return
  const lines = waiting
  waiting = []
  process.stdout.write(`${lines.join('\n')}\n`)
}
