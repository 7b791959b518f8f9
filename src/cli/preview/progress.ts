import { stopwatch } from '../../engine/clock/system-clock.js'

const CELLS = 30
/** Milliseconds before the first output, and between two lines of a log. */
const INTERVAL = 1_000

/** The output, such as `process.stderr`. */
type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }

/**
 * Shows the progress of a long run: a bar on a terminal, otherwise one line per second.
 * @param whole the number of requests to send
 */
export function showProgress(
  whole: number,
  stream: Stream = process.stderr,
  now = stopwatch,
): (done: number) => void {
  return stream.isTTY === true ? bar(whole, stream, now) : lines(whole, stream, now)
}

function bar(whole: number, stream: Stream, now: () => number): (done: number) => void {
  const begin = now()
  return (done) => {
    if (now() - begin < INTERVAL) return
    const cells = Math.round((done / whole) * CELLS)
    const shown = '█'.repeat(cells) + '░'.repeat(CELLS - cells)
    stream.write(done >= whole ? '\r\x1b[K' : `\r${shown} ${percentage(done, whole)}`)
  }
}

function lines(whole: number, stream: Stream, now: () => number): (done: number) => void {
  let last = now()
  return (done) => {
    if (now() - last < INTERVAL || done >= whole) return
    last = now()
    const [sent, all] = [done, whole].map((count) => count.toLocaleString('en'))
    stream.write(`tasksim preview: ${sent} of ${all} requests sent (${percentage(done, whole)})\n`)
  }
}

function percentage(done: number, whole: number): string {
  return `${Math.round((100 * done) / whole)} %`
}
