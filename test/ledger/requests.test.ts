import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { runs } from '../support/deep.js'
import { openWorld, type Restarts, type Sent, type World } from './world.js'

const SCENARIO: ScenarioInput = {
  defaults: { delay: '1s', price: { per_task: 0.5 } },
  models: { 'acme/free': { kind: 'image', price: { per_task: 0 } } },
  capacity: { running: 2, queued: 3 },
  auth: {
    credits: 1,
    keys: [{ key: 'sk_one' }, { key: 'sk_two', credits: 3 }, { key: 'sk_late', expires: '5s' }],
  },
  rate_limits: [
    { operation: 'tasks.create', requests: 3, per: '2s' },
    { key: 'sk_two', requests: 5, per: '4s', burst: 8 },
  ],
  faults: [
    { when: { operation: 'tasks.create', nth: 3 }, then: { status: 500 } },
    { when: { operation: 'tasks.retrieve', per: 'task' }, then: ['pass', { body: 'html' }] },
    { when: { operation: 'tasks.list', per: 'key', nth: { every: 2 } }, then: { reset: 'before' } },
    { when: { key: 'sk_two', rate: 0.3 }, then: { status: 503, retry_after: '1s' } },
    { when: { window: { from: '3s', to: '6s' }, rate: { from: 0, to: 1 } }, then: { stale: true } },
  ],
}

const OTHER: ScenarioInput = {
  extends: 'instant',
  faults: [{ when: { operation: 'tasks.create', nth: { every: 2 } }, then: { status: 502 } }],
  capacity: { running: 5 },
  defaults: { delay: '2s' },
  rate_limits: [{ requests: 4, per: '3s' }],
}

const create = (model: string, directive?: string): Omit<Sent, 'key'> => ({
  method: 'POST',
  path: '/v1/tasks',
  ...(directive !== undefined && { headers: { 'x-sim-fault': directive } }),
  body: { model, input: { prompt: 'a lighthouse' } },
})

const KEYS = ['sk_one', 'sk_two', 'sk_late', 'sk_none']

type Command =
  | { readonly do: 'send'; readonly what: Omit<Sent, 'key'>; readonly key: string }
  | { readonly do: 'poll'; readonly task: number; readonly key: string }
  | { readonly do: 'control'; readonly what: Sent }
  | { readonly do: 'advance'; readonly by: number }

const key = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('sk_one', 'sk_two') }, fc.constantFrom(...KEYS))
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      what: fc.constantFrom(create('acme/image-1'), create('acme/free'), create('acme/free', '503, pass'), {
        method: 'GET',
        path: '/v1/tasks',
      }),
      key,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('poll' as const), task: fc.nat(5), key }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('control' as const),
      what: fc.constantFrom<Sent[]>(
        { method: 'PUT', path: '/_sim/scenario', body: { scenario: OTHER } },
        { method: 'PATCH', path: '/_sim/scenario', body: { auth: { credits: 2 } } },
        { method: 'POST', path: '/_sim/reset' },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.integer({ min: 0, max: 2_000 }) }),
  },
)

async function play(commands: readonly Command[], restartAt: number, restarts: Restarts): Promise<unknown> {
  const world = await openWorld({ scenario: SCENARIO }, restarts)
  const ids: string[] = []
  for (const [index, command] of commands.entries()) {
    if (index === restartAt) await world.restart()
    await carryOut(command, world, ids)
  }
  await world.restart()
  const state = await world.state()
  world.sim.close()
  return [world.seen, state]
}

async function carryOut(command: Command, world: World, ids: string[]): Promise<void> {
  switch (command.do) {
    case 'send': {
      const made = await world.send({ ...command.what, key: command.key })
      if (typeof made?.id === 'string') ids.push(made.id)
      return
    }
    case 'poll': {
      const id = ids[command.task % Math.max(1, ids.length)] ?? 'task_none'
      return world.send({ method: 'GET', path: `/v1/tasks/${id}`, key: command.key })
    }
    case 'control':
      return world.send(command.what)
    case 'advance':
      return world.send({ method: 'POST', path: '/_sim/clock', body: { advance: `${command.by}ms` } })
  }
}

test.each<Restarts>(['from-save', 'from-ledger'])(
  'faults, limits, credits and scenarios continue after a restart: %s',
  async (restarts) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 30, size: 'max' }),
        fc.nat(30),
        async (commands, restartAt) => {
          const expected = await play(commands, restartAt, 'none')
          expect(await play(commands, restartAt, restarts)).toEqual(expected)
        },
      ),
      { numRuns: runs(2, 20) },
    )
  },
)
