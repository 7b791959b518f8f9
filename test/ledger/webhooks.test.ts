import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Delivery, Transport } from '../../src/index.js'
import { runs, sampleOf } from '../support/deep.js'
import { type Command, command, EXAMPLES, Player, SCENARIO } from './webhook-commands.js'
import { openWorld, type Restarts, type World } from './world.js'

const decoder = new TextDecoder()

/** @param restartAt the index of the command that a restart precedes; undefined for all commands */
async function play(
  commands: readonly Command[],
  restartAt: number | undefined,
  restarts: Restarts,
): Promise<unknown> {
  const posts: unknown[] = []
  const transport: Transport = async ({ url, headers, body }) => {
    const number = posts.push({ url, headers, body: decoder.decode(body) })
    if (url.includes('gone')) return { status: 410 }
    return { status: url.includes('flaky') && number % 3 !== 0 ? 503 : 200 }
  }
  const world = await openWorld({ scenario: SCENARIO, keepTasks: 3, transport }, restarts)
  const errors: unknown[] = []
  const player = new Player(world)
  world.sim.on('error', (error) => errors.push(error))
  for (const [index, command] of commands.entries()) {
    if (index === (restartAt ?? index)) {
      await world.restart()
      world.sim.on('error', (error) => errors.push(error))
    }
    await player.play(command)
  }
  const before = structuredClone(await stateOf(world))
  await world.restart()
  await world.sim.clock.advance('1d')
  const after = await stateOf(world)
  world.sim.close()
  const result = { replies: world.seen, posts, before, after, errors }
  return JSON.parse(JSON.stringify(result).replace(TOOK, '$10'))
}

/** The duration of an attempt, which is real. */
const TOOK = /(took_ms\\*":)[\d.e-]+/g

async function stateOf(world: World): Promise<unknown> {
  const { webhooks } = world.sim
  const { log } = webhooks
  return {
    state: await world.state(),
    pending: [...log.pending()].map(shown),
    ended: [...log.ended()].map(shown),
    counts: { ...log.counts },
    receivers: webhooks.receivers.list().map(({ ...receiver }) => receiver),
  }
}

/** A delivery without the durations of its attempts, which are real. */
function shown({ payload, attempts, ...delivery }: Delivery): object {
  return {
    ...delivery,
    payload: decoder.decode(payload),
    attempts: attempts.map(({ took: _, sent, ...attempt }) => ({
      ...attempt,
      sent: { ...sent, body: decoder.decode(sent.body) },
    })),
  }
}

/** With a ledger, webhooks leave later. */
const withoutRestart = (restarts: Restarts) => (restarts === 'from-ledger' ? 'none-with-ledger' : 'none')

const RESTARTS = sampleOf<Restarts>(1, ['from-ledger', 'from-save'])

test.each(RESTARTS)('a restart at any point changes no webhook: %s', async (restarts) => {
  const restartAt = fc.option(fc.nat(40), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), restartAt, async (commands, restartAt) => {
      const expected = await play(commands, restartAt, withoutRestart(restarts))
      expect(await play(commands, restartAt, restarts)).toEqual(expected)
    }),
    {
      numRuns: runs(1, 12),
      examples: EXAMPLES.map((commands): [Command[], undefined] => [commands, undefined]),
    },
  )
})

test.each(RESTARTS)('a webhook that is signed asynchronously survives restarts: %s', async (restarts) => {
  const posts = async (restarts: Restarts) => {
    const world = await openWorld({ scenario: { defaults: { delay: '1s' } } }, restarts)
    await world.send({
      method: 'POST',
      path: `/fal/queue/fal-ai/flux/dev?fal_webhook=${encodeURIComponent('http://own.test/flaky')}`,
      headers: { authorization: 'Key sk_one' },
      body: { prompt: 'waves' },
    })
    for (const by of ['1s', '9s', '1s', '1m', '1h'] as const) {
      await world.restart()
      await world.sim.clock.advance(by)
    }
    world.sim.close()
    return world.seen
  }
  const seen = await posts(restarts)
  expect(seen).toHaveLength(3)
  expect(seen).toEqual(await posts(withoutRestart(restarts)))
})
