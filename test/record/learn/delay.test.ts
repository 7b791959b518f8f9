import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { percentile, percentileInterval } from '../../../src/inspect/statistics.js'
import { learnDelay } from '../../../src/record/learn/delay/learn-delay.js'
import type { Spread } from '../../../src/scenario/model/delay.js'
import { drawDelay } from '../../../src/scenario/rules/draw-delay.js'
import { runs } from '../../support/deep.js'

function sampleOf(spread: Spread, size: number, seed: string | number): Float64Array {
  const random = Chance.of(`delays ${seed}`).stream('delay')
  return Float64Array.from({ length: size }, () => drawDelay(spread, () => random)).sort()
}

const SEEDS = Array.from({ length: runs(20, 300) }, (_, seed) => seed)

it.each([
  ['a constant', 3_000, 'number'],
  ['a uniform distribution', { min: 2_000, max: 5_000 }, 'min,max'],
  ['a lognormal distribution', { median: 7_000, p95: 18_000 }, 'median,p95'],
  ['an exponential distribution', { mean: 4_000 }, 'mean'],
] as const)('recognizes %s in at least nine of ten samples', (_, spread, form) => {
  const forms = SEEDS.map((seed) => {
    const learned = learnDelay(sampleOf(spread, 500, seed)).spread
    return typeof learned === 'number' ? 'number' : Object.keys(learned).join()
  })
  expect(forms.filter((found) => found === form).length).toBeGreaterThanOrEqual(0.87 * SEEDS.length)
})

const BIMODAL: Spread = {
  percentiles: { p0: 1_000, p60: 2_000, 'p60.1': 20_000, p99: 30_000, p100: 300_000 },
}
const CUT: Spread = { median: 7_000, p95: 18_000, min: 4_000, max: 20_000 }

it.each([BIMODAL, CUT])('does not take %j for one of the simple distributions', (spread) => {
  for (const seed of SEEDS)
    expect(learnDelay(sampleOf(spread, 500, seed)).spread).toHaveProperty('percentiles')
})

const HEAVY: Spread = { median: 5_000, p95: 60_000 }

it.each([BIMODAL, CUT, HEAVY, { mean: 4_000 }, { min: 2_000, max: 5_000 }])(
  'simulates the percentiles of %j within 10 % or the sampling error',
  (spread) => {
    for (const seed of SEEDS.slice(0, runs(1, 10))) {
      const sample = sampleOf(spread, 2_000, seed)
      const simulated = sampleOf(learnDelay(sample).spread, 20_000, 'again')
      for (const rank of [50, 90, 99]) {
        const [low, high] = percentileInterval(sample, rank)
        const found = percentile(simulated, rank)
        expect(found).toBeGreaterThan(Math.min(low, 0.9 * percentile(sample, rank)))
        expect(found).toBeLessThan(Math.max(high, 1.1 * percentile(sample, rank)))
      }
    }
  },
)

it('recognizes a distribution from times in whole seconds', () => {
  const sample = sampleOf({ median: 70_000, p95: 180_000 }, 2_000, 1)
  const seconds = sample.map((delay) => Math.round(delay / 1_000) * 1_000)
  expect(learnDelay(seconds).spread).toHaveProperty('median')
})
