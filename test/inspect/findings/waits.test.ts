import { describe, expect, test } from 'vitest'
import type { AnsweredRequest } from '../../../src/engine/requests/answered-request.js'
import { createSimulator } from '../../../src/index.js'
import { Waits } from '../../../src/inspect/findings/waits.js'

/** Two requests, so many milliseconds apart on the simulator's clock and in real time. */
const apart = (simulated: number, real: number) =>
  [{ at: 0, realAt: 0 } as AnsweredRequest, { at: simulated, realAt: real } as AnsweredRequest] as const

describe('a wait is too short', () => {
  test.each<[number, number, number, boolean | undefined]>([
    [1, 100, 100, true],
    [1, 3_000, 3_000, false],
    [60, 1_000, 17, true],
    [60, 6_000, 100, undefined],
    [60, 180_000, 3_000, false],
    [0, 1_000, 1, true],
    [0, 3_000, 1, false],
    [0, 1_000, 3_000, undefined],
    [0, 0, 1, undefined],
  ])('at speed %d, %d ms on the clock and %d ms in real time: %s', (speed, simulated, real, expected) => {
    expect(new Waits(speed).isShorter(...apart(simulated, real), 2_500)).toBe(expected)
  })
})

describe('a wait is too long', () => {
  test.each<[number, number, number, boolean | undefined]>([
    [1, 4_000_000, 4_000_000, true],
    [1, 10_000, 10_000, false],
    [1, 4_000_000, 10, true],
    [60, 4_500_000, 75_000, undefined],
    [60, 9_000_000, 75_000, true],
    [0, 4_000_000, 10, true],
  ])('at speed %d, %d ms on the clock and %d ms in real time: %s', (speed, simulated, real, expected) => {
    expect(new Waits(speed).isLonger(...apart(simulated, real), 3_600_000)).toBe(expected)
  })
})

test('the speed of a verdict is the highest one since the start, even if the clock is paused', async () => {
  const sim = createSimulator({ speed: 60 })
  sim.clock.freeze()
  expect(sim.findingInput().speed).toBe(60)
  sim.close()
})
