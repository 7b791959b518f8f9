import { bestOf, type Figure } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'

const TASKS = 100_000
const ROUNDS = 5

/** Measures the time to advance a month in which 100,000 tasks end, with and without a webhook each. */
export async function month(): Promise<Figure[]> {
  const [told, silent] = [workerFor('webhooks'), workerFor('silence')]
  try {
    const pairs = await alternate(
      ROUNDS,
      () => told.ask<number>('pass'),
      () => silent.ask<number>('pass'),
    )
    return [
      bestOf(
        `month: ${TASKS} tasks with a webhook each`,
        'ms',
        pairs.map(({ ours }) => ours),
        { atMost: 2_000 },
      ),
      bestOf(
        `month: ${TASKS} tasks without webhooks`,
        'ms',
        pairs.map(({ theirs }) => theirs),
      ),
    ]
  } finally {
    await Promise.all([told.end(), silent.end()])
  }
}

function workerFor(webhooks: 'webhooks' | 'silence'): Worker {
  return new Worker(new URL('pass.ts', import.meta.url), [String(TASKS), webhooks])
}
