import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { runs } from '../support/deep.js'
import { openWorld, type Restarts, type World } from './world.js'

const SCENARIO: ScenarioInput = {
  defaults: { delay: { min: '1s', max: '5s' }, failures: { rate: 0.3 }, queueing: '500ms' },
  models: { 'acme/polls': { kind: 'image', delay: { polls: 3 } } },
  rules: [{ when: { model: 'acme/stuck' }, then: { outcome: 'stuck' } }],
  capacity: { running: 3, queued: 5 },
}

const MODELS = ['acme/image-1', 'acme/video-1', 'acme/polls', 'acme/stuck']

type Command =
  | { readonly do: 'create'; readonly model: number; readonly prompt: number }
  | { readonly do: 'poll' | 'cancel' | 'hold' | 'release'; readonly task: number }
  | { readonly do: 'list' }
  | { readonly do: 'advance'; readonly by: number }

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('create' as const), model: fc.nat(3), prompt: fc.nat(2) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('poll' as const, 'cancel' as const, 'hold' as const, 'release' as const),
      task: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('advance' as const), by: fc.integer({ min: 0, max: 3_000 }) }),
  },
)

async function play(commands: readonly Command[], restartAt: number, restarts: Restarts): Promise<unknown> {
  const world = await openWorld({ scenario: SCENARIO, keepTasks: 4 }, restarts)
  const ids: string[] = []
  for (const [index, command] of commands.entries()) {
    if (index === restartAt) await world.restart()
    await carryOut(command, world, ids)
  }
  await world.restart()
  await world.sim.clock.advance('1h')
  const state = await world.state()
  world.sim.close()
  return [world.seen, state]
}

async function carryOut(command: Command, world: World, ids: string[]): Promise<void> {
  const id = 'task' in command ? idAt(ids, command.task) : ''
  switch (command.do) {
    case 'create': {
      const input = { prompt: `picture ${command.prompt}` }
      const body = { model: MODELS[command.model], input }
      const made = await world.send({ method: 'POST', path: '/v1/tasks', body })
      if (typeof made.id === 'string') ids.push(made.id)
      return
    }
    case 'poll':
      return world.send({ method: 'GET', path: `/v1/tasks/${id}` })
    case 'cancel':
      return world.send({ method: 'POST', path: `/v1/tasks/${id}/cancel` })
    case 'hold':
    case 'release':
      return world.send({ method: 'POST', path: `/_sim/tasks/${id}/${command.do}` })
    case 'list':
      return world.send({ method: 'GET', path: '/v1/tasks?limit=3' })
    case 'advance':
      return world.send({ method: 'POST', path: '/_sim/clock', body: { advance: `${command.by}ms` } })
  }
}

const idAt = (ids: readonly string[], index: number) => ids[index % Math.max(1, ids.length)] ?? 'task_none'

const RESTARTS: readonly Restarts[] = ['from-save', 'from-ledger']

test.each(RESTARTS)('a restart at any point changes nothing: %s', async (restarts) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), fc.nat(40), async (commands, restartAt) => {
      const expected = await play(commands, restartAt, 'none')
      expect(await play(commands, restartAt, restarts)).toEqual(expected)
    }),
    { numRuns: runs(10, 100) },
  )
})
