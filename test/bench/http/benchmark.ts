import { type Figure, figureOf, type Target, type Unit } from '../figure.js'
import { alternate } from '../rounds.js'
import { TasksimServer } from '../tasksim-server.js'
import { Worker } from '../worker.js'
import { type Load, load, type Served } from './load.js'
import { type Sample, sampleOf, sizesOf } from './sample.js'

const ROUNDS = 6
const ROUND = 1_500
const WARM_UP = 2_000

/** The time in which the tasks of a round end after it. They must not end while the other server is measured. */
const AFTERMATH = 350

/**
 * Measures the requests per second of the real server against a bare one, in two scenarios: tasks that end at once,
 * and tasks that end on a timer. In the second one an image takes 2 s. At ten times the speed nearly all tasks of a
 * round end within it, so that the round includes the cost of their ends.
 */
export async function http(): Promise<Figure[]> {
  return [...(await compare('instant')), ...(await compare('default', '--speed', '10'))]
}

async function compare(scenario: string, ...options: string[]): Promise<Figure[]> {
  const tasksim = await TasksimServer.start(scenario, ...options)
  try {
    const sample = await sampleOf(tasksim.port)
    const bare = new Worker(new URL('bare-server.ts', import.meta.url), [JSON.stringify(sample)])
    try {
      const theirs = { port: await bare.ask<number>('port'), pid: bare.pid }
      await requireSameSize(theirs.port, sample)
      return figures(`http ${scenario}`, await measure(tasksim, theirs))
    } finally {
      await bare.end()
    }
  } finally {
    await tasksim.end()
  }
}

type Pairs = readonly { readonly ours: Load; readonly theirs: Load }[]

async function measure(tasksim: Served, bare: Served): Promise<Pairs> {
  await load(tasksim, WARM_UP, AFTERMATH)
  await load(bare, WARM_UP, 0)
  return alternate(
    ROUNDS,
    () => load(tasksim, ROUND, AFTERMATH),
    () => load(bare, ROUND, 0),
  )
}

async function requireSameSize(port: number, sample: Sample): Promise<void> {
  if (sizesOf(await sampleOf(port)) === sizesOf(sample)) return
  throw new Error(
    'The bare server answers with another number of bytes than tasksim, so they do not compare.',
  )
}

function figures(name: string, pairs: Pairs): Figure[] {
  const figure = (what: string, unit: Unit, value: (pair: Pairs[number]) => number, target?: Target) =>
    figureOf(`${name}: ${what}`, unit, pairs.map(value), target)
  return [
    figure('rate, tasksim / bare', 'x', ({ ours, theirs }) => ours.rate / theirs.rate, { atLeast: 0.8 }),
    figure('CPU per request, bare / tasksim', 'x', ({ ours, theirs }) => theirs.cpu / ours.cpu),
    figure('tasksim', 'req/s', ({ ours }) => ours.rate),
    figure('bare', 'req/s', ({ theirs }) => theirs.rate),
    figure('tasksim, CPU per request', 'us', ({ ours }) => ours.cpu),
    figure('bare, CPU per request', 'us', ({ theirs }) => theirs.cpu),
  ]
}
