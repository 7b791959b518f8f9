import { Server } from '../../support/server.js'
import { type Figure, figureOf, percentile } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'
import { type LoadPeriod, stretch } from './stretch.js'

const ROUNDS = 6
const ROUND = 1_500
/** After some thousand webhooks, the engine has compiled the code that sends them. */
const WARM_UP = 6_000

/**
 * Measures signed webhooks per second, each verified by a receiver in another process, while tasks are created and
 * polled. The cost of webhooks is the difference to a server without a receiver.
 */
export async function webhooks(): Promise<Figure[]> {
  const receiver = new Worker(new URL('receiver.ts', import.meta.url))
  try {
    const told = await Server.start(['instant', '--webhook', await receiver.ask<string>('url')])
    const silent = await Server.start(['instant'])
    try {
      return figures(await measure(told, silent, receiver))
    } finally {
      await Promise.all([told.kill(), silent.kill()])
    }
  } finally {
    await receiver.end()
  }
}

type Pairs = readonly { readonly ours: LoadPeriod; readonly theirs: LoadPeriod }[]

async function measure(told: Server, silent: Server, receiver: Worker): Promise<Pairs> {
  await stretch(told, receiver, WARM_UP)
  await stretch(silent, undefined, WARM_UP)
  return alternate(
    ROUNDS,
    () => stretch(told, receiver, ROUND),
    () => stretch(silent, undefined, ROUND),
  )
}

function figures(pairs: Pairs): Figure[] {
  const of = (value: (pair: Pairs[number]) => number) => pairs.map(value)
  const perSecond = ({ tasks, seconds }: LoadPeriod) => tasks / seconds
  return [
    figureOf(
      'webhooks: per second of CPU, requests not counted',
      'webhooks/s',
      of(({ ours, theirs }) => 1_000_000 / (ours.cpu - theirs.cpu)),
      { atLeast: 3_000 },
    ),
    figureOf(
      'webhooks: per second of CPU, with a create and a poll each',
      'webhooks/s',
      of(({ ours }) => 1_000_000 / ours.cpu),
    ),
    figureOf(
      'webhooks: by the wall clock',
      'webhooks/s',
      of(({ ours }) => perSecond(ours)),
    ),
    figureOf(
      'webhooks: polls meanwhile',
      'req/s',
      of(({ ours }) => ours.polls.length / ours.pollSeconds),
    ),
    figureOf(
      'webhooks: a poll meanwhile, p99',
      'ms',
      of(({ ours }) => percentile(ours.polls, 0.99)),
    ),
    figureOf(
      'webhooks: a poll without webhooks, p99',
      'ms',
      of(({ theirs }) => percentile(theirs.polls, 0.99)),
    ),
  ]
}
