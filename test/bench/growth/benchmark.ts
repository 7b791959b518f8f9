import { type Figure, figureOf, median } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'
import type { Cost } from './tasks.js'

const ROUNDS = 24
const FEW = 1_000
const MANY = 1_000_000

/** A million tasks and their data need more than the default heap of Node. */
const FLAGS = ['--max-old-space-size=8192']

/** Measures the CPU time of a request with many stored tasks, as a multiple of its time with few. */
export async function growth(): Promise<Figure[]> {
  const [few, many] = [FEW, MANY].map((tasks) => new Worker(TASKS, [String(tasks)], FLAGS)) as [
    Worker,
    Worker,
  ]
  try {
    for (const worker of [few, many]) await worker.ask('fill')
    for (const worker of [few, many]) await worker.ask('warm up')
    const pairs = await alternate(
      ROUNDS,
      () => many.ask<Cost>('measure'),
      () => few.ask<Cost>('measure'),
    )
    return (['create', 'poll'] as const).flatMap((what) => [
      figureOf(
        `growth: ${what}, 1000000 / 1000 tasks`,
        'x',
        pairs.map(({ ours, theirs }) => ours[what] / theirs[what]),
        { atMost: 1.2 },
      ),
      {
        name: `growth: ${what} with 1000 tasks`,
        unit: 'us',
        value: median(pairs.map((pair) => pair.theirs[what])),
      },
    ])
  } finally {
    await Promise.all([few.end(), many.end()])
  }
}

const TASKS = new URL('tasks.ts', import.meta.url)
