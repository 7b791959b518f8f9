import { expect, it } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { dailyPatterns } from '../../../src/record/learn/daily-patterns.js'

const HOUR = 3_600_000

/** A task every ten minutes for 30 days. */
function month(spanAt: (hour: number) => number, rateAt: (hour: number) => number, seed: string) {
  const random = Chance.of(seed).stream('month')
  const created = Float64Array.from({ length: 30 * 24 * 6 }, (_, index) => (index * HOUR) / 6)
  const hours = [...created].map((time) => Math.floor(time / HOUR) % 24)
  return dailyPatterns({
    created,
    spans: Float64Array.from(hours, (hour) => spanAt(hour) * (0.5 + random.float())),
    failed: Uint8Array.from(hours, (hour) => (random.float() < rateAt(hour) ? 1 : 0)),
  })
}

it('finds hours with longer delays, and hours with more failures', () => {
  const isBusy = (hour: number) => hour >= 14 && hour < 16
  const [delay, failures] = month(
    (hour) => (isBusy(hour) ? 15_000 : 10_000),
    (hour) => (isBusy(hour) ? 0.3 : 0.05),
    'busy',
  )
  expect([delay?.of, failures?.of]).toEqual(['delay', 'failures'])
  for (const found of [delay, failures]) expect([14, 15]).toContain(found?.high.hour)
  expect(delay?.high.value).toBeGreaterThan(13_000)
  expect(failures?.high.value).toBeGreaterThan(0.2)
})

it('finds nothing if the hours do not matter', () => {
  for (let seed = 0; seed < 20; seed++)
    expect(
      month(
        () => 10_000,
        () => 0.05,
        `even ${seed}`,
      ),
    ).toEqual([])
})
