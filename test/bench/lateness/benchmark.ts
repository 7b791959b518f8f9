import { type Figure, percentile } from '../figure.js'
import { Worker } from '../worker.js'
import { pace } from './paced.js'

const RATE = 2_000
/** The time in milliseconds after which the last task of the server has ended. */
const SPAN = 16_000

/**
 * Measures how late tasks end on the real clock: 100,000 tasks within ten seconds, on a server that also answers
 * requests.
 */
export async function lateness(): Promise<Figure[]> {
  const server = new Worker(new URL('server.ts', import.meta.url))
  try {
    const port = await server.ask<number>('port')
    await server.ask('fill')
    const begin = performance.now()
    const answered = await pace(port, RATE, SPAN)
    const seconds = (performance.now() - begin) / 1_000
    const late = await server.ask<number[]>('lateness')
    return [
      { name: 'lateness: of the end of a task, p50', unit: 'ms', value: percentile(late, 0.5) },
      {
        name: 'lateness: of the end of a task, p99',
        unit: 'ms',
        value: percentile(late, 0.99),
        target: { below: 20 },
      },
      { name: 'lateness: of the end of a task, the worst', unit: 'ms', value: percentile(late, 1) },
      { name: 'lateness: tasks that ended each second', unit: 'tasks/s', value: late.length / 10 },
      { name: 'lateness: requests meanwhile', unit: 'req/s', value: answered / seconds },
    ]
  } finally {
    await server.end()
  }
}
