import { stopwatch } from '../engine/clock/system-clock.js'

const CELLS = 30
/** Milliseconds before the first output, and between two lines of a log. */
const INTERVAL = 1_000

/** The output, such as `process.stderr`. */
type Stream = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }

/** What a command has to do. */
export interface Work {
  readonly command: string
  /** How much there is; undefined if nobody knows. */
  readonly total: number | undefined
  /** What is counted, as the end of a sentence: `requests sent`. */
  readonly unit: string
}

/** Shows the progress of a long run: a bar on a terminal, otherwise one line per second. */
export function showProgress(
  work: Work,
  stream: Stream = process.stderr,
  now = stopwatch,
): (done: number) => void {
  const { total } = work
  return stream.isTTY === true && total !== undefined ? bar(total, stream, now) : lines(work, stream, now)
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

function lines({ command, total, unit }: Work, stream: Stream, now: () => number): (done: number) => void {
  let last = now()
  return (done) => {
    if (now() - last < INTERVAL || done >= (total ?? Infinity)) return
    last = now()
    const count = done.toLocaleString('en')
    const progress =
      total === undefined
        ? `${count} ${unit}`
        : `${count} of ${total.toLocaleString('en')} ${unit} (${percentage(done, total)})`
    stream.write(`tasksim ${command}: ${progress}\n`)
  }
}

function percentage(done: number, total: number): string {
  return `${Math.round((100 * done) / total)} %`
}
