import fc, { type AsyncCommand } from 'fast-check'
import { defineScenario, UsageError } from '../../../src/index.js'
import { anyScenario, KEYS, MODELS } from './scenarios.js'
import { driven, type Order, type World } from './world.js'

type Step = AsyncCommand<object, World>

/** An action that can run while others are in progress. */
type Action = readonly [label: string, run: (world: World) => Promise<void>]

const key = fc.constantFrom(...KEYS)
const place = fc.nat(50)
const span = fc.nat(30_000)
const order: fc.Arbitrary<Order> = fc.record({
  model: fc.constantFrom(...MODELS),
  input: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ prompt: 'waves' }) },
    {
      weight: 1,
      arbitrary: fc.record({
        prompt: fc.constant('waves'),
        fate: fc.constantFrom('stuck', 'failed', 'canceled'),
      }),
    },
  ),
  hasWebhook: fc.boolean(),
})

const create: fc.Arbitrary<Action> = fc
  .tuple(key, order)
  .map(([key, order]) => [`create ${key} ${JSON.stringify(order)}`, (world) => world.create(key, order)])
const poll: fc.Arbitrary<Action> = fc
  .tuple(key, place)
  .map(([key, place]) => [`poll ${key} #${place}`, (world) => world.poll(key, place)])
const recall: fc.Arbitrary<Action> = place.map((place) => [
  `recall #${place}`,
  (world) => world.pollForgotten(place),
])
const cancel: fc.Arbitrary<Action> = place.map((place) => [
  `cancel #${place}`,
  (world) => world.cancel(place),
])
const remove: fc.Arbitrary<Action> = place.map((place) => [
  `delete #${place}`,
  (world) => world.delete(place),
])
const wait: fc.Arbitrary<Action> = fc
  .tuple(place, span)
  .map(([place, span]) => [`wait ${span} for #${place}`, async (world) => world.wait(place, span)])
const advance: fc.Arbitrary<Action> = span.map((span) => [
  `advance ${span}`,
  ({ sim }) => driven(sim.clock.advance(span)),
])
const pass: fc.Arbitrary<Action> = span.map((span) => [`pass ${span}`, (world) => world.pass(span)])

const advanceTo: fc.Arbitrary<Action> = span.map((span) => [
  `advance to ${span} from now`,
  async ({ sim }) => {
    const instant = sim.clock.now() + span
    try {
      await driven(sim.clock.advanceTo(instant))
    } catch (error) {
      // On a running clock, the instant may pass while the call waits for an earlier advance.
      if (!(error instanceof UsageError && sim.clock.now() > instant)) throw error
    }
  },
])
const list: fc.Arbitrary<Action> = fc
  .tuple(key, fc.integer({ min: 1, max: 5 }))
  .map(([key, limit]) => [`list ${key} by ${limit}`, (world) => world.list(key, limit)])
const run: fc.Arbitrary<Action> = fc
  .constantFrom(1, 60)
  .map((speed) => [`run at ${speed}`, async ({ sim }) => sim.clock.run(speed)])
const freeze: fc.Arbitrary<Action> = fc.constant(['freeze', async ({ sim }) => sim.clock.freeze()])
const swap: fc.Arbitrary<Action> = anyScenario.map((scenario) => [
  `swap ${JSON.stringify(scenario)}`,
  async ({ sim }) => sim.useScenario(defineScenario(scenario)),
])
const reset: fc.Arbitrary<Action> = fc.constant(['reset', (world) => world.reset()])

function step([label, run]: Action): Step {
  return {
    check: () => true,
    async run(_, world) {
      await run(world)
      await world.check()
    },
    toString: () => label,
  }
}

const actions = [
  create,
  create,
  create,
  poll,
  poll,
  recall,
  cancel,
  remove,
  wait,
  list,
  advance,
  advance,
  advanceTo,
]
const turns = [pass, run, freeze, swap, reset]
const together = [create, create, poll, cancel, remove, wait, advance, pass]

/** Several concurrent actions. Each starts some microtask turns after the previous one. */
const crowdOf = (members: fc.Arbitrary<Action>[]): fc.Arbitrary<Action> =>
  fc
    .array(fc.tuple(fc.nat(8), fc.oneof(...members)), { minLength: 2, maxLength: 8 })
    .map((members) => [
      `at once: ${members.map(([turns, [label]]) => `${turns} turns, ${label}`).join(', ')}`,
      (world) => world.crowd(members.map(([turns, [, run]]) => ({ turns, run }))),
    ])

const commands = (crowd: fc.Arbitrary<Action>) =>
  fc.commands(
    [...actions, ...turns, crowd, crowd].map((action) => action.map(step)),
    { maxCommands: 60, size: 'max' },
  )

/** All actions of clients, tests and time on a simulator, in any order. */
export const anySteps = commands(crowdOf(together))

/** The same actions, and resets while other actions are in progress. */
export const anyStepsAndResets = commands(crowdOf([...together, reset]))
