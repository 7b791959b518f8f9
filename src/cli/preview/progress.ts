import { stopwatch } from '../../engine/clock/system-clock.js'

const CELLS = 30
/** Milliseconds before the first output, and between two lines of a log. */
const INTERVAL = 1_000

/** The output, such as `process.stderr`. */
type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }

/**
 * Shows the progress of a long run: a bar on a terminal, otherwise one line per second.
 * @param total the number of requests to send
 */
export function showProgress(
  total: number,
  stream: Stream = process.stderr,
  now = stopwatch,
): (done: number) => void {
  return stream.isTTY === true ? bar(total, stream, now) : lines(total, stream, now)
}

function bar(total: number, stream: Stream, now: () => number): (done: number) => void {
  const start = now()
  return (done) => {
    if (now() - start < INTERVAL) return
    const cells = Math.round((done / total) * CELLS)
    const cellText = '█'.repeat(cells) + '░'.repeat(CELLS - cells)
    stream.write(done >= total ? '\r\x1b[K' : `\r${cellText} ${percentage(done, total)}`)
  }
}

function lines(total: number, stream: Stream, now: () => number): (done: number) => void {
  let last = now()
  return (done) => {
    if (now() - last < INTERVAL || done >= total) return
    last = now()
    const [sent, all] = [done, total].map((count) => count.toLocaleString('en'))
    stream.write(`tasksim preview: ${sent} of ${all} requests sent (${percentage(done, total)})\n`)
  }
}

function percentage(done: number, total: number): string {
  return `${Math.round((100 * done) / total)} %`
}
