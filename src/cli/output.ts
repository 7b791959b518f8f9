import pc from 'picocolors'
import { startTimer } from '../engine/clock/system-clock.js'

/** Colors on a terminal, none in a pipe. */
export const colors = pc.createColors(process.stdout.isTTY === true && !process.env['NO_COLOR'])

/** Milliseconds; too short for a person to notice. */
const FLUSH_DELAY = 20

let pending: string[] = []

/**
 * Prints a line. Lines in quick succession are written together, because a write to a pipe costs as much as a
 * response to a request.
 */
export function print(line: string): void {
  if (pending.length === 0) startTimer(FLUSH_DELAY, flush)
  pending.push(line)
}

// If the reader of a pipe exits or the disk is full, the server continues without a log.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** Writes the pending lines. */
export function flush(): void {
  if (pending.length === 0) return
  const lines = pending
  pending = []
  process.stdout.write(`${lines.join('\n')}\n`)
}
