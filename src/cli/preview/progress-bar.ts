import { stopwatch } from '../../core/time/system-clock.js'

const CELLS = 30
const PATIENCE = 1_000

/** Shows on a terminal how far a long run has come; a run of less than a second shows nothing. */
export function progressBar(whole: number): (done: number) => void {
  const begin = stopwatch()
  return (done) => {
    if (process.stderr.isTTY !== true || stopwatch() - begin < PATIENCE) return
    const cells = Math.round((done / whole) * CELLS)
    const bar = '█'.repeat(cells) + '░'.repeat(CELLS - cells)
    process.stderr.write(done >= whole ? '\r\x1b[K' : `\r${bar} ${Math.round((100 * done) / whole)} %`)
  }
}
