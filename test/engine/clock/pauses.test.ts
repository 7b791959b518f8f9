import { afterEach, expect, test, vi } from 'vitest'
import { simulate } from '../../support/simulations.js'

afterEach(() => {
  vi.useRealTimers()
})

test('a pause waits for the patience once, until somebody advances the manual clock', async () => {
  vi.useFakeTimers()
  const sim = simulate({ patience: '2s' })
  let passed = 0
  const slow = async () => {
    for (; passed < 50; passed++) await sim.time.pause(100)
  }
  void slow()
  await vi.advanceTimersByTimeAsync(1_999)
  expect([passed, sim.clock.now()]).toEqual([0, 0])
  await vi.advanceTimersByTimeAsync(200)
  expect([passed, sim.clock.now()]).toEqual([50, 5_000])
  await sim.clock.advance('1s')
  passed = 49
  void slow()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(passed).toBe(49)
  await vi.advanceTimersByTimeAsync(10)
  expect(passed).toBe(50)
  expect(vi.getTimerCount()).toBe(0)
})
