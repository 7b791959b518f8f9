import { stopwatch } from '../../engine/clock/system-clock.js'
import { counted } from '../../explore/formats/results.js'
import type { ExplorationPlan, RunProgress } from '../../explore/options.js'
import type { ReportedRun } from '../../explore/report.js'

/** Says what follows, and lists it on stdout if that is all that was asked for. */
export function announce({ runs, expected, remarks, measures }: ExplorationPlan, isList: boolean): void {
  if (isList) for (const id of runs) process.stdout.write(`${id}\n`)
  for (const remark of remarks) process.stderr.write(`tasksim: ${remark}\n`)
  const seconds = Math.max(1, Math.round(expected / 1_000))
  const time = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const first = measures && !isList ? '. The first two measure how long the client waits' : ''
  process.stderr.write(`tasksim: ${counted(runs.length, 'run')}, about ${time}${first}\n`)
}

/** How often to say how far the exploration is if stderr is not a terminal, in milliseconds. */
const INTERVAL = 10_000

/** Shows how far an exploration is: in a line that changes on a terminal, otherwise in a line now and then. */
export function progressOn(stream: NodeJS.WriteStream) {
  let last = stopwatch()
  return ({ id, result }: ReportedRun, { done, total }: RunProgress) => {
    if (stream.isTTY === true) {
      const line = `${done} of ${total}  ${id}: ${result}`.slice(0, (stream.columns ?? 80) - 1)
      stream.write(`\r\x1b[K${done >= total ? '' : line}`)
    } else if (stopwatch() - last >= INTERVAL) {
      last = stopwatch()
      stream.write(`tasksim: ${done} of ${counted(total, 'run')}\n`)
    }
  }
}
