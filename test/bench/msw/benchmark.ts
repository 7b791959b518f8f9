import { type Figure, figureOf } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'

const ROUNDS = 10
const WARM_UPS = 3

/**
 * Measures the CPU time of a test suite for a create and its polls, through `fetch` and MSW: with the simulator, and
 * with two handwritten handlers.
 */
export async function msw(): Promise<Figure[]> {
  const client = new URL('client.ts', import.meta.url)
  const [tasksim, byHand] = [new Worker(client, ['tasksim']), new Worker(client, ['by-hand'])] as const
  try {
    for (let round = 0; round < WARM_UPS; round++) {
      for (const worker of [tasksim, byHand]) await worker.ask('round')
    }
    const pairs = await alternate(
      ROUNDS,
      () => tasksim.ask<number>('round'),
      () => byHand.ask<number>('round'),
    )
    const ratios = pairs.map(({ ours, theirs }) => ours / theirs)
    return [
      figureOf('msw: time, tasksim / by hand', 'x', ratios, { atMost: 1.3 }),
      figureOf(
        'msw: tasksim, each request',
        'us',
        pairs.map(({ ours }) => ours),
      ),
      figureOf(
        'msw: by hand, each request',
        'us',
        pairs.map(({ theirs }) => theirs),
      ),
    ]
  } finally {
    await Promise.all([tasksim.end(), byHand.end()])
  }
}
