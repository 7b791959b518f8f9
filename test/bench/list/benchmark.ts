import { type Figure, figureOf, type Target } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'
import type { Cost } from './pages.js'

const ROUNDS = 8
const FEW = 100
const MANY = 1_000_000

/** A million tasks and their data need more than the default heap of Node. */
const FLAGS = ['--max-old-space-size=8192']

const GROWTH: Readonly<Partial<Record<keyof Cost, Target>>> = {
  first: { atMost: 1.2 },
  far: { atMost: 1.2 },
}

/** Such a page requires a scan of all tasks. */
const WHOLE: Readonly<Partial<Record<keyof Cost, Target>>> = { rare: { below: 2_000 } }

const NAMES: Readonly<Record<keyof Cost, string>> = {
  first: 'the first page of 20',
  far: 'a page far down',
  rare: 'a page of a state that none is in',
}

/** Measures the CPU time of a page of the task list with very many stored tasks, and with few. */
export async function list(): Promise<Figure[]> {
  const [few, many] = [FEW, MANY].map((tasks) => new Worker(PAGES, [String(tasks)], FLAGS)) as [
    Worker,
    Worker,
  ]
  try {
    for (const worker of [few, many]) await worker.ask('fill')
    for (const worker of [few, many]) await worker.ask('measure')
    const pairs = await alternate(
      ROUNDS,
      () => many.ask<Cost>('measure'),
      () => few.ask<Cost>('measure'),
    )
    return (['first', 'far', 'rare'] as const).flatMap((what) => figuresOf(what, pairs))
  } finally {
    await Promise.all([few.end(), many.end()])
  }
}

function figuresOf(what: keyof Cost, pairs: readonly { ours: Cost; theirs: Cost }[]): Figure[] {
  const name = `list: ${NAMES[what]}`
  const ratios = pairs.map(({ ours, theirs }) => ours[what] / theirs[what])
  return [
    figureOf(`${name}, ${MANY} / ${FEW} tasks`, 'x', ratios, GROWTH[what]),
    figureOf(
      `${name} of ${MANY} tasks`,
      'us',
      pairs.map(({ ours }) => ours[what]),
      WHOLE[what],
    ),
  ]
}

const PAGES = new URL('pages.ts', import.meta.url)
