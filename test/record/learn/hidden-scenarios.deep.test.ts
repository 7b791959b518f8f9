import { expect, it } from 'vitest'
import { checkExpectations } from '../../../src/cli/expectations/check-expectations.js'
import { Chance } from '../../../src/engine/random.js'
import type { Spread } from '../../../src/engine/scenario/delay.js'
import { drawDelay } from '../../../src/engine/scenario/delay.js'
import { parseScenario } from '../../../src/index.js'
import { percentile, percentileInterval, shareInterval } from '../../../src/inspect/statistics.js'
import { type Learned, learn } from '../../../src/record/learn/learn.js'
import { writeScenario } from '../../../src/record/scenario/write-scenario.js'
import { HIDDEN, type Hidden } from '../hidden-scenarios.js'
import { playHistory, tasksIn } from '../played-history.js'

const TASKS = 10_000

async function learnFrom({ scenario, every, order }: Hidden): Promise<Learned> {
  const text = await playHistory({ scenario, seed: 'hidden', tasks: TASKS, every, order })
  const pieces = (async function* () {
    yield text
  })()
  return learn(tasksIn(pieces))
}

function drawn(spread: Spread, count: number, seed: string): Float64Array {
  const random = Chance.of(seed).stream('delay')
  return Float64Array.from({ length: count }, () => drawDelay(spread, () => random)).sort()
}

function expectDelays(truth: Spread, learned: Spread, samples: number): void {
  const [real, simulated] = [drawn(truth, 20_000, 'truth'), drawn(learned, 20_000, 'learned')]
  for (const rank of [50, 90, 99]) {
    const [low, high] = percentileInterval(drawn(truth, samples, 'sample'), rank)
    const value = percentile(real, rank)
    const error = Math.max(0.1 * value, high - low)
    expect(Math.abs(percentile(simulated, rank) - value), `p${rank}`).toBeLessThanOrEqual(error)
  }
}

it.each(HIDDEN.map((hidden) => [hidden.name, hidden] as const))(
  'the learner learns %s',
  async (_, hidden) => {
    const learned = await learnFrom(hidden)
    const truth = parseScenario(JSON.stringify(hidden.scenario))
    for (const { name, delay, failures, price, counts } of learned.models) {
      const { delay: real, failures: { rate } = { rate: 0 } } = truth.models[name] ?? {}
      if (delay === undefined || real === undefined || (typeof real === 'object' && 'polls' in real))
        throw new Error(`There is no delay of ${name}`)
      expectDelays(real, delay.spread, delay.samples)
      const [low, high] = shareInterval(counts.failed, counts.failed + counts.succeeded)
      expect([failures?.rate, rate >= low && rate <= high]).toEqual([counts.failed / counts.all, true])
      if (hidden.prices !== undefined)
        expect(price).toMatchObject({ price: hidden.prices[name], explained: 1 })
    }
    expect(learned.limits.map(({ scope, name, running }) => `${scope} ${name} ${running}`)).toEqual(
      hidden.limits ?? [],
    )
    expect(await checkExpectations(parseScenario(writeScenario(learned, 'history.jsonl')))).toEqual([])
  },
)

it('the learner writes a rule for each resolution with a price of its own', async () => {
  const hidden = HIDDEN.find(({ name }) => name === 'prices by resolution') as Hidden
  const { rules, models } = parseScenario(writeScenario(await learnFrom(hidden), 'history.jsonl'))
  const general = models['acme/video-1']?.price
  const prices = [general, ...rules.map(({ then }) => then.price)].map((price) => price?.per_second)
  expect(prices.sort()).toEqual([0.05, 0.1, 0.25])
  expect(rules.map(({ when }) => when?.model)).toEqual(['acme/video-1', 'acme/video-1'])
})
