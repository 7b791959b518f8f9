import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSimulator, defineScenario, type ScenarioInput, type Transport } from '../../../src/index.js'
import { runs } from '../../support/deep.js'
import { anyFaultyScenario, HOOKS } from './faulty-scenarios.js'
import { ImpatientClient } from './impatient-client.js'
import type { Reaction } from './receiver.js'
import { KEYS, MODELS } from './scenarios.js'
import { Totals } from './totals.js'
import { driven } from './world.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Receivers that each cycle through the reactions. */
function unreliableReceivers(reactions: readonly Reaction[]) {
  const posts = new Map<string, Reaction[]>()
  const transport: Transport = async ({ url, signal }) => {
    const received = posts.get(url) ?? []
    posts.set(url, received)
    const reaction = reactions[(url.length + received.length) % reactions.length] ?? 200
    received.push(reaction)
    if (reaction === 'error') throw new Error('connection lost')
    if (reaction === 'silence') return new Promise((_, reject) => signal.addEventListener('abort', reject))
    return { status: reaction }
  }
  return { posts, transport }
}

/** A simulator, its clients, and the totals of both sides. */
function worldOf(scenario: ScenarioInput, reactions: readonly Reaction[]) {
  const { posts, transport } = unreliableReceivers(reactions)
  const sim = createSimulator({ scenario, clock: 'manual', start: 0, transport, patience: 2 })
  return { sim, posts, client: new ImpatientClient(sim), totals: new Totals(sim) }
}

type World = ReturnType<typeof worldOf>
type Action = readonly [label: string, run: (world: World) => Promise<unknown>]

const key = fc.constantFrom(...KEYS)
const place = fc.nat(30)
const pick = ({ totals }: World, place: number) =>
  [...totals.tasks.values()][place % (totals.tasks.size || 1)]
const orUndefined = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

const faultDirective = fc.constantFrom('fault=lost', 'fault=503,pass', 'fault=reset,lost,pass', 'fault=hang')
const directive = fc.oneof(
  faultDirective,
  fc.constantFrom(
    'outcome=failed webhook=duplicate',
    'outcome=canceled after=5s',
    'webhook=before_response',
    'webhook=before_response,duplicate_at_once fault=lost,lost,pass',
    'webhook=after_poll polls=1',
    'webhook=out_of_order cost=0.25',
    'webhook=lost after=0s',
    'webhook=truncated,no_signature webhook_delay=30s',
  ),
)

const create: fc.Arbitrary<Action> = fc
  .record({
    key,
    model: fc.constantFrom(...MODELS),
    input: fc.constantFrom({}, { duration: 3 }, { n: 2 }),
    hook: orUndefined(fc.constantFrom(...HOOKS)),
    directive: orUndefined(directive),
    times: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ key, model, input, hook, directive, times }) => [
    `create ${model} ${JSON.stringify(input)} for ${key} to ${hook} with ${directive}, ${times} times`,
    async ({ client, totals }) => {
      const body = { model, input, ...(hook !== undefined && { webhook_url: hook }) }
      const { status, id } = await client.sendUntilAnswered({ key, line: 'POST ', body, directive }, times)
      if (status === 200 && id !== undefined)
        totals.expect(totals.tasks.get(id)?.owner === key, `${id} was answered, and is not a task of ${key}`)
    },
  ])
const poll: fc.Arbitrary<Action> = fc.tuple(place, orUndefined(faultDirective)).map(([place, directive]) => [
  `poll #${place} with ${directive}`,
  async (world) => {
    const { id = 'task_none', owner = KEYS[0] } = pick(world, place) ?? {}
    await world.client.sendUntilAnswered({ key: owner, line: `GET /${id}`, directive }, 2)
  },
])
const cancel: fc.Arbitrary<Action> = fc
  .tuple(place, orUndefined(faultDirective))
  .map(([place, directive]) => [
    `cancel #${place} with ${directive}`,
    async (world) => {
      const { id = 'task_none', owner = KEYS[0] } = pick(world, place) ?? {}
      await world.client.sendUntilAnswered({ key: owner, line: `POST /${id}/cancel`, directive }, 3)
    },
  ])
const list: fc.Arbitrary<Action> = key.map((key) => [
  `list ${key}`,
  ({ client }) => client.sendUntilAnswered({ key, line: 'GET ?limit=5' }, 2),
])
const advance: fc.Arbitrary<Action> = fc
  .nat(40_000)
  .map((span) => [`advance ${span}`, ({ sim }) => driven(sim.clock.advance(span))])
const swap: fc.Arbitrary<Action> = anyFaultyScenario.map((scenario) => [
  `swap ${JSON.stringify(scenario)}`,
  async ({ sim }) => sim.useScenario(defineScenario(scenario)),
])
const crowd: fc.Arbitrary<Action> = fc
  .array(fc.oneof(create, poll, cancel, advance), { minLength: 2, maxLength: 5 })
  .map((members) => [
    `at once: ${members.map(([label]) => label).join(', ')}`,
    (world) => Promise.all(members.map(([, run]) => run(world))),
  ])

const actions = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: create },
    { weight: 3, arbitrary: poll },
    { weight: 2, arbitrary: cancel },
    { weight: 1, arbitrary: list },
    { weight: 5, arbitrary: advance },
    { weight: 1, arbitrary: swap },
    { weight: 2, arbitrary: crowd },
  ),
  { minLength: 5, maxLength: 50, size: 'max' },
)
const reactions = fc.array(fc.constantFrom<Reaction>(200, 204, 302, 410, 500, 'error', 'silence'), {
  minLength: 1,
  maxLength: 7,
})

test('faults of requests and webhooks never lose a task, charge it twice, or leave a webhook unfinished', async () => {
  const labelled = actions.map((actions) => ({
    actions,
    toString: () => actions.map(([label]) => label).join('\n'),
  }))
  await fc.assert(
    fc.asyncProperty(anyFaultyScenario, reactions, labelled, async (scenario, reactions, { actions }) => {
      const world = worldOf(scenario, reactions)
      const { sim, posts, client, totals } = world
      try {
        for (const [, run] of actions) await run(world)
        await driven(sim.clock.runUntilIdle())
        // A request that waited for code that is loaded on first use continues late on a busy machine.
        await vi.dynamicImportSettled()
        await driven(sim.clock.runUntilIdle())
        await totals.settle(posts)
        totals.expect(client.open === 0, `${client.open} requests are never answered`)
        totals.expect(totals.tasks.size <= client.orders, 'there are more tasks than orders')
        expect(totals.violations).toEqual([])
      } finally {
        sim.close()
      }
    }),
    { numRuns: runs(3, 200), interruptAfterTimeLimit: 20_000 },
  )
}, 60_000)
