import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { Schedule } from '../../../src/engine/clock/schedule.js'
import { VirtualClock } from '../../../src/engine/clock/virtual-clock.js'
import { manualTime } from '../../support/time.js'

afterEach(() => {
  vi.useRealTimers()
})

test('events happen in the order of their instants, and ties in the order of scheduling', async () => {
  const instants = fc.array(fc.nat(20), { maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(instants, async (planned) => {
      const { clock, schedule } = manualTime()
      const happened: [at: number, place: number][] = []
      for (const [place, at] of planned.entries())
        schedule.at(at, async (receivedAt) => void happened.push([receivedAt, place]))
      clock.moveTo(20)
      await schedule.catchUp()
      expect(happened).toHaveLength(planned.length)
      for (const [index, [at, place]] of happened.entries()) {
        expect(at).toBe(planned[place])
        const [earlier, before] = happened[index - 1] ?? [-1, -1]
        expect(earlier < at || (earlier === at && before < place)).toBe(true)
      }
    }),
  )
})

test('one event ends before the next one begins', async () => {
  const { schedule } = manualTime()
  const log: string[] = []
  for (const name of ['first', 'second']) {
    schedule.at(0, async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`${name} ends`)
    })
  }
  await schedule.catchUp()
  expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('events that nobody must wait for happen at once', () => {
  const { schedule } = manualTime()
  const log: string[] = []
  schedule.at(0, () => log.push('first'))
  schedule.at(0, () => {
    schedule.at(0, () => log.push('third'))
    log.push('second')
  })
  expect(schedule.catchUp()).toBeUndefined()
  expect(log).toEqual(['first', 'second', 'third'])
})

test('a catch-up within an event waits for the events after it', async () => {
  const { schedule } = manualTime()
  const log: string[] = []
  let inner: Promise<unknown> | undefined
  schedule.at(0, () => {
    inner = schedule.catchUp()?.then(() => log.push('caught up'))
  })
  schedule.at(0, async () => {
    await new Promise((resolve) => setImmediate(resolve))
    log.push('second')
  })
  await schedule.catchUp()
  await inner
  expect(log).toEqual(['second', 'caught up'])
})

test('a canceled event does not happen, and is not the next event', async () => {
  const { clock, schedule } = manualTime()
  const happen = vi.fn()
  const canceled = schedule.at(10, happen)
  schedule.at(20, happen)
  canceled.cancel()
  expect(schedule.next).toBe(20)
  clock.moveTo(30)
  await schedule.catchUp()
  expect(happen.mock.calls).toEqual([[20]])
})

test('an error in one event is reported and does not stop the others', async () => {
  const { schedule, errors } = manualTime()
  const happen = vi.fn()
  schedule.at(0, () => {
    throw new Error('thrown')
  })
  schedule.at(0, () => Promise.reject(new Error('rejected')))
  schedule.at(0, happen)
  await schedule.catchUp()
  expect(errors.map(String)).toEqual(['Error: thrown', 'Error: rejected'])
  expect(happen).toHaveBeenCalledOnce()
})

test('due events that are scheduled during a catch-up happen in the same catch-up', async () => {
  const { clock, schedule } = manualTime()
  const log: string[] = []
  schedule.at(10, () => {
    log.push('at 10')
    schedule.at(15, () => void log.push('at 15'))
    schedule.at(25, () => void log.push('at 25'))
  })
  schedule.at(20, () => void log.push('at 20'))
  clock.moveTo(20)
  await schedule.catchUp()
  expect(log).toEqual(['at 10', 'at 15', 'at 20'])
  expect(schedule.next).toBe(25)
})

test('nothing is pending when no event is scheduled', async () => {
  const { clock, schedule } = manualTime()
  schedule.at(10, () => {})
  expect(schedule.catchUp()).toBeUndefined()
  clock.moveTo(10)
  await schedule.catchUp()
  expect(schedule.catchUp()).toBeUndefined()
})

test('concurrent catch-ups wait for the same end', async () => {
  const { schedule } = manualTime()
  const happen = vi.fn(() => new Promise<void>((resolve) => setImmediate(resolve)))
  schedule.at(0, happen)
  const first = schedule.catchUp()
  expect(first).toBeInstanceOf(Promise)
  expect(schedule.catchUp()).toBe(first)
  await first
  expect(happen).toHaveBeenCalledOnce()
})

test('a cleared schedule is empty', async () => {
  const { clock, schedule } = manualTime()
  const happen = vi.fn()
  schedule.at(10, happen)
  schedule.clear()
  clock.moveTo(10)
  await schedule.catchUp()
  expect([schedule.next, happen.mock.calls.length]).toEqual([undefined, 0])
})

test('on a running clock events happen automatically, with one timer for all of them', async () => {
  vi.useFakeTimers({ now: 0 })
  const schedule = new Schedule(new VirtualClock(1), () => {})
  const happen = vi.fn()
  for (const at of [300, 100, 200]) schedule.at(at, happen)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(250)
  expect(happen.mock.calls).toEqual([[100], [200]])
  await vi.advanceTimersByTimeAsync(50)
  expect(happen.mock.calls).toEqual([[100], [200], [300]])
  expect(vi.getTimerCount()).toBe(0)
})
