import { bestOf, type Figure, median, type Target } from '../figure.js'
import { Worker } from '../worker.js'

const ROUNDS = 24
const FEW = 1_000
const MANY = 100_000
const VERY_MANY = 1_000_000

/** A million tasks and their data need more than the default heap of Node. */
const FLAGS = ['--max-old-space-size=8192']
/** A larger space for new objects, from which fewer of them have to be copied. */
const LARGE_YOUNG_SPACE = '--max-semi-space-size=64'

interface Setting {
  readonly pending: number
  /** A flag of Node. */
  readonly flag?: string
  /** In tasks per second. */
  readonly target?: Target
}

const SETTINGS: readonly Setting[] = [
  { pending: FEW, target: { atLeast: 100_000 } },
  { pending: MANY, target: { atLeast: 100_000 } },
  { pending: MANY, flag: LARGE_YOUNG_SPACE },
  { pending: VERY_MANY },
]

/**
 * Measures whole lifecycles on the manual clock, by the number of pending tasks. A heap finds the next due job, so
 * the cost of a lifecycle may grow with their logarithm, but not faster.
 */
export async function lifecycles(): Promise<Figure[]> {
  const workers = SETTINGS.map(
    ({ pending, flag }) =>
      new Worker(
        new URL('steady.ts', import.meta.url),
        [String(pending)],
        flag === undefined ? FLAGS : [...FLAGS, flag],
      ),
  )
  try {
    await Promise.all(workers.map((worker) => worker.ask('fill')))
    const rounds: number[][] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureAll(workers))
    return SETTINGS.flatMap((setting, place) => figuresOf(setting, rounds, place))
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

function figuresOf({ pending, flag, target }: Setting, rounds: readonly number[][], place: number): Figure[] {
  const costs = rounds.map((round) => round[place] ?? Number.NaN)
  const rate = bestOf(
    `lifecycles: with ${pending} pending${flag === undefined ? '' : `, ${flag}`}`,
    'tasks/s',
    costs.map((cost) => 1_000_000 / cost),
    target,
  )
  if (pending === FEW || flag !== undefined) return [rate]
  const growth: Figure = {
    name: `lifecycles: cost of each, ${pending} / ${FEW} pending`,
    unit: 'x',
    value: median(rounds.map((round) => (round[place] ?? Number.NaN) / (round[0] ?? Number.NaN))),
    target: { atMost: Math.log(pending) / Math.log(FEW) },
  }
  return [rate, growth]
}
