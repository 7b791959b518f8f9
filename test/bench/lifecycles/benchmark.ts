import { bestOf, type Figure, median } from '../figure.js'
import { Worker } from '../worker.js'

const ROUNDS = 24
const FEW = 1_000
const MANY = 1_000_000
const SIZES = [FEW, 100_000, MANY]

/** A million tasks and their data need more than the default heap of Node. */
const FLAGS = ['--max-old-space-size=8192']

/**
 * Measures whole lifecycles on the manual clock, by the number of pending tasks. A heap finds the next due job, so
 * the cost of a lifecycle may grow with their logarithm, but not faster.
 */
export async function lifecycles(): Promise<Figure[]> {
  const workers = SIZES.map(
    (size) => new Worker(new URL('steady.ts', import.meta.url), [String(size)], FLAGS),
  )
  try {
    await Promise.all(workers.map((worker) => worker.ask('fill')))
    const rounds: number[][] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureAll(workers))
    return SIZES.flatMap((size, place) => figuresOf(size, rounds, place))
  } finally {
    await Promise.all(workers.map((worker) => worker.end()))
  }
}

/** Runs the workers one after the other, so that none takes CPU time from another. */
async function measureAll(workers: readonly Worker[]): Promise<number[]> {
  const costs: number[] = []
  for (const worker of workers) costs.push(await worker.ask<number>('measure'))
  return costs
}

function figuresOf(size: number, rounds: readonly number[][], place: number): Figure[] {
  const costs = rounds.map((round) => round[place] ?? Number.NaN)
  const rate = bestOf(
    `lifecycles: with ${size} pending`,
    'tasks/s',
    costs.map((cost) => 1_000_000 / cost),
    size === MANY ? undefined : { atLeast: 100_000 },
  )
  if (size === FEW) return [rate]
  const growth: Figure = {
    name: `lifecycles: cost of each, ${size} / ${FEW} pending`,
    unit: 'x',
    value: median(rounds.map((round) => (round[place] ?? Number.NaN) / (round[0] ?? Number.NaN))),
    target: { atMost: Math.log(size) / Math.log(FEW) },
  }
  return [rate, growth]
}
