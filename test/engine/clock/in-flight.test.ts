import { afterEach, expect, test, vi } from 'vitest'
import { InFlight } from '../../../src/engine/clock/in-flight.js'

afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise(() => {})

/** Returns the current state of a promise, without waiting for it. */
async function stateOf(promise: Promise<unknown>): Promise<'settled' | 'pending'> {
  let state: 'settled' | 'pending' = 'pending'
  promise.then(() => {
    state = 'settled'
  })
  await vi.advanceTimersByTimeAsync(0)
  return state
}

test('work counts until it ends, whether it succeeds or fails', async () => {
  const inFlight = new InFlight()
  inFlight.track(Promise.resolve())
  inFlight.track(Promise.reject(new Error('the business of its owner')))
  expect(inFlight.size).toBe(2)
  await inFlight.ended()
  expect(inFlight.size).toBe(0)
})

test('waiting for idleness includes work that begins during the wait', async () => {
  const inFlight = new InFlight()
  const ends: (() => void)[] = []
  const work = () => inFlight.track(new Promise<void>((resolve) => ends.push(resolve)))
  vi.useFakeTimers()
  work()
  const idle = inFlight.idle(1_000)
  work()
  ends[0]?.()
  expect(await stateOf(idle)).toBe('pending')
  ends[1]?.()
  expect(await stateOf(idle)).toBe('settled')
})

test('endless work is waited for once, until the timeout', async () => {
  vi.useFakeTimers()
  const inFlight = new InFlight()
  inFlight.track(never)
  const idle = inFlight.idle(1_000)
  await vi.advanceTimersByTimeAsync(999)
  expect(await stateOf(idle)).toBe('pending')
  await vi.advanceTimersByTimeAsync(1)
  expect(await stateOf(idle)).toBe('settled')
  expect(await stateOf(inFlight.idle(1_000))).toBe('settled')
  expect(inFlight.size).toBe(1)
})

test('forgotten work delays no other work', async () => {
  vi.useFakeTimers()
  const inFlight = new InFlight()
  inFlight.track(never)
  inFlight.clear()
  expect(await stateOf(inFlight.idle(1_000))).toBe('settled')
  expect(await stateOf(inFlight.ended())).toBe('settled')
})
