import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import type { Spread } from '../../../src/engine/scenario/delay.js'
import { drawDelay } from '../../../src/engine/scenario/delay.js'
import { percentile, percentileInterval } from '../../../src/inspect/statistics.js'
import { learnDelay } from '../../../src/record/learn/delay.js'
import { runs } from '../../support/deep.js'

function sampleOf(spread: Spread, size: number, seed: string | number): Float64Array {
  const random = Chance.of(`delays ${seed}`).stream('delay')
  return Float64Array.from({ length: size }, () => drawDelay(spread, () => random)).sort()
}

it('the learner recognizes a constant, also from times that are almost equal', () => {
  expect(learnDelay(new Float64Array(50).fill(3_000)).spread).toBe(3_000)
  expect(learnDelay(Float64Array.from({ length: 50 }, (_, index) => 60_000 + 2 * index)).spread).toBe(60_048)
})

const BIMODAL: Spread = {
  percentiles: { p0: 1_000, p60: 2_000, 'p60.1': 20_000, p99: 30_000, p100: 300_000 },
}
const CUT: Spread = { median: 7_000, p95: 18_000, min: 4_000, max: 20_000 }

const HEAVY: Spread = { median: 5_000, p95: 60_000 }

it.each([BIMODAL, CUT, HEAVY, { mean: 4_000 }, { min: 2_000, max: 5_000 }])(
  'the learner simulates the percentiles of %j within 10 % or the sampling error',
  (spread) => {
    for (let seed = 0; seed < runs(1, 10); seed++) {
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
