import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulator, type ScenarioInput } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import { runs } from '../support/deep.js'
import { MemoryLedger } from './memory-ledger.js'
import { openWorld, type Restarts, type Sent, type World } from './world.js'

const SCENARIO: ScenarioInput = {
  defaults: { delay: { min: '1s', max: '5s' }, failures: { rate: 0.3 } },
  faults: [{ when: { operation: 'tasks.create', nth: { every: 3 } }, then: { status: 500 } }],
}

const OPTIONS: readonly object[] = [
  {},
  { name: 'worker', seed: 'own' },
  { name: 'worker' },
  { scenario: 'outage', start: '2030-01-01T00:00:00Z' },
  { scenario: { extends: 'instant', outputs: { lifetime: '10s' } } },
]

type Command =
  | { readonly do: 'open'; readonly options: object }
  | { readonly do: 'close'; readonly sandbox: number }
  | { readonly do: 'create' | 'list' | 'reset' | 'advance' | 'upload'; readonly sandbox: number }
  | { readonly do: 'poll' | 'read'; readonly sandbox: number; readonly task: number }
  | { readonly do: 'replace'; readonly sandbox: number }

const sandbox = fc.nat(2)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('open' as const), options: fc.constantFrom(...OPTIONS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('close' as const, 'replace' as const), sandbox }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['create', 'create', 'create', 'list', 'reset', 'advance', 'upload'] as const)),
      sandbox,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['poll', 'read'] as const)),
      sandbox,
      task: fc.nat(4),
    }),
  },
)

/** Sends the requests of a sandbox with its key. Without a sandbox, they are for the simulator itself. */
class Client {
  readonly #world: World
  readonly #sandboxes: { readonly id: string; readonly key: string }[] = []
  readonly #tasks: string[] = []
  readonly #files: string[] = []

  constructor(world: World) {
    this.#world = world
  }

  async carryOut(command: Command): Promise<void> {
    const number = 'sandbox' in command ? command.sandbox % (this.#sandboxes.length + 1) : 0
    const { id, key } = this.#sandboxes[number] ?? { id: 'none', key: 'sk_one' }
    const send = (method: string, path: string, body?: object | Uint8Array) =>
      this.#world.send({ method, path, body, key })
    switch (command.do) {
      case 'open': {
        const sent: Sent = { method: 'POST', path: '/_sim/sandboxes', body: command.options }
        const { id, api_key: key } = await this.#world.send(sent)
        this.#sandboxes.push({ id, key })
        return
      }
      case 'close':
        return this.#world.send({ method: 'DELETE', path: `/_sim/sandboxes/${id}` })
      case 'create': {
        const input = { prompt: 'a lighthouse' }
        const made = await send('POST', '/v1/tasks', { model: 'acme/image-1', input })
        if (typeof made.id === 'string') this.#tasks.push(made.id)
        return
      }
      case 'poll': {
        const { output } = await send('GET', `/v1/tasks/${at(this.#tasks, command.task)}`)
        const url = output?.images?.[0]?.url
        if (typeof url === 'string') this.#files.push(url.replace('http://localhost', ''))
        return
      }
      case 'read':
        return send('GET', at(this.#files, command.task))
      case 'list':
        return send('GET', '/v1/tasks')
      case 'upload':
        return this.#world.send({
          method: 'POST',
          path: '/assemblyai/upload',
          headers: { authorization: key },
          body: new Uint8Array([1, 2, 3]),
        })
      case 'reset':
        return send('POST', '/_sim/reset')
      case 'replace':
        return send('PATCH', '/_sim/scenario', { defaults: { delay: '2s' } })
      case 'advance':
        return send('POST', '/_sim/clock', { advance: '2s' })
    }
  }
}

const at = (items: readonly string[], index: number) => items[index % Math.max(1, items.length)] ?? '/none'

async function play(commands: readonly Command[], restartAt: number, restarts: Restarts): Promise<unknown> {
  const world = await openWorld({ scenario: SCENARIO }, restarts)
  const client = new Client(world)
  for (const [index, command] of commands.entries()) {
    if (index === restartAt) await world.restart()
    await client.carryOut(command)
  }
  await world.restart()
  await client.carryOut({ do: 'open', options: {} })
  await world.send({ method: 'GET', path: '/_sim/sandboxes' })
  const states = [await world.state()]
  for (const { sim } of world.sim.sandboxes.list()) states.push(await world.state(sim))
  world.sim.close()
  return [world.seen, states]
}

test.each<Restarts>(['from-save', 'from-ledger'])(
  'sandboxes continue after a restart: %s',
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
      { numRuns: runs(3, 30) },
    )
  },
)

test('a deleted sandbox leaves no rows', async () => {
  const ledger = new MemoryLedger()
  const sim = createSimulator({ clock: 'manual' })
  const options = { defer: setImmediate, onDeposed: () => {} }
  const writer = await persist(sim, ledger, ledger.lead(), options)
  const [first, second] = [sim.createSandbox(), sim.createSandbox()]
  await first.sim.create({ model: 'm', input: {}, owner: '', origin: '', webhookUrl: undefined })
  await writer.flush()
  const spaces = () => [...new Set(ledger.rows().map(({ space }) => space))]
  expect(spaces()).toEqual(['', first.identity.id, second.identity.id])
  sim.sandboxes.delete(first.identity.id)
  await writer.flush()
  expect(spaces()).toEqual(['', second.identity.id])
  sim.close()
  await writer.flush()
  expect(spaces()).toEqual(['', second.identity.id])
})
