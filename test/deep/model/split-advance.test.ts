import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulator, defineScenario, type ScenarioInput, type Simulator } from '../../../src/index.js'
import { call } from '../../support/call.js'
import { runs } from '../../support/deep.js'
import { type Reaction, unreliableReceiver } from './receiver.js'
import { anyScenario, KEYS, MODELS } from './scenarios.js'

/** A simulator and a log of all its events. */
function loggedSimulator(scenario: ScenarioInput, reactions: readonly Reaction[]) {
  const { transport } = unreliableReceiver(reactions)
  const sim = createSimulator({ scenario, clock: 'manual', start: 0, transport })
  const log: unknown[] = []
  sim.on('task.created', ({ id, status, createdAt }) => log.push(['created', id, status, createdAt]))
  sim.on('task.started', ({ id }, at) => log.push(['started', id, at]))
  sim.on('task.finished', ({ id, status }, at) => log.push(['finished', id, status, at]))
  sim.on('delivery.attempted', ({ taskId, state }, { number, startedAt, retryAt }) =>
    log.push(['attempted', taskId, number, state, startedAt, retryAt]),
  )
  sim.on('error', (error) => log.push(['error', String(error)]))
  return { sim, log }
}

async function stateOf(sim: Simulator): Promise<unknown[]> {
  const lists = KEYS.map(async (key) => (await call(sim, key, 'GET ?limit=100')).body)
  return [sim.clock.now(), sim.clock.next, ...(await Promise.all(lists))]
}

type Step = { create: object } | { cancel: string } | { swap: ScenarioInput } | { advance: [number, number] }

async function take(sim: Simulator, step: Step, isSplit: boolean): Promise<void> {
  if ('create' in step) await call(sim, KEYS[0], 'POST ', step.create)
  else if ('cancel' in step) await cancelAll(sim, step.cancel)
  else if ('swap' in step) sim.useScenario(defineScenario(step.swap))
  else await advance(sim, isSplit ? step.advance : [step.advance[0] + step.advance[1]])
  // An advance waits for the receiver. A request does not, so its answer could arrive between the next two.
  await sim.settled()
}

async function advance(sim: Simulator, spans: readonly number[]): Promise<void> {
  for (const span of spans) await sim.clock.advance(span)
}

/** Cancels the unfinished tasks of a model. */
async function cancelAll(sim: Simulator, model: string): Promise<void> {
  const { body } = await call(sim, KEYS[0], `GET ?model=${model}&limit=100`)
  for (const { id } of body.data) await call(sim, KEYS[0], `POST /${id}/cancel`)
}

const model = fc.constantFrom(...MODELS)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ create: newTask() }) },
  { weight: 5, arbitrary: fc.record({ advance: fc.tuple(fc.nat(20_000), fc.nat(20_000)) }) },
  { weight: 1, arbitrary: fc.record({ cancel: model }) },
  { weight: 1, arbitrary: fc.record({ swap: anyScenario }) },
)
const reactions = fc.array(fc.constantFrom<Reaction>(200, 204, 410, 500, 503, 'error'), {
  minLength: 1,
  maxLength: 5,
})

function newTask() {
  const webhook_url = fc.constantFrom('http://one.test/', 'http://two.test/')
  return fc.record({ model, input: fc.constant({}), webhook_url }, { requiredKeys: ['model', 'input'] })
}

test('two advances have the same effect as one of their sum, for tasks, queues and webhooks', async () => {
  const steps = fc.array(step, { maxLength: 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(anyScenario, reactions, steps, async (scenario, reactions, steps) => {
      const [whole, split] = [loggedSimulator(scenario, reactions), loggedSimulator(scenario, reactions)]
      for (const step of steps) {
        await take(whole.sim, step, false)
        await take(split.sim, step, true)
      }
      expect(split.log).toEqual(whole.log)
      expect(await stateOf(split.sim)).toEqual(await stateOf(whole.sim))
    }),
    { numRuns: runs(5, 200) },
  )
}, 60_000)
