import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UsageError } from '../../../src/index.js'
import { manualTime } from '../../support/time.js'

/** Creates a schedule on which each event plans another one, as retries and renewals do. */
function chained(steps: readonly number[]) {
  const time = manualTime()
  const log: [planned: number, now: number][] = []
  const plan = (at: number, left: readonly number[]): void => {
    const [wait, ...rest] = left
    if (wait === undefined) return
    time.schedule.at(at + wait, (planned) => {
      log.push([planned, time.clock.now()])
      plan(planned, rest)
    })
  }
  plan(0, steps)
  plan(0, [...steps].reverse())
  return { ...time, log }
}

test('two advances have the same effect as one of their sum', async () => {
  const span = fc.nat(1_000)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(300), { maxLength: 10 }), span, span, async (steps, a, b) => {
      const once = chained(steps)
      const twice = chained(steps)
      await once.control.advance(a + b)
      await twice.control.advance(a)
      await twice.control.advance(b)
      expect(twice.log).toEqual(once.log)
      expect([once.control.now(), twice.control.now()]).toEqual([a + b, a + b])
    }),
  )
})

test('every event during an advance happens at its planned instant', async () => {
  const { control, log } = chained([100, 250])
  await control.advance('1s')
  expect(log).toEqual([
    [100, 100],
    [250, 250],
    [350, 350],
    [350, 350],
  ])
  expect(control.now()).toBe(1_000)
})

test('concurrent advances run one after the other', async () => {
  const { control } = manualTime()
  await Promise.all([control.advance('1s'), control.advance('2s'), control.advance('4s')])
  expect(control.now()).toBe(7_000)
})

test('a rejected advance does not stop the next one', async () => {
  const { control } = manualTime()
  await control.advance('1s')
  const refused = control.advanceTo(500)
  await control.advance('1s')
  await expect(refused).rejects.toThrow(UsageError)
  expect(control.now()).toBe(2_000)
})

test.each([
  [
    '1970-01-01T00:00:00.999Z',
    /Cannot advance the clock to "1970-01-01T00:00:00.999Z": it is 1970-01-01T00:00:01/,
  ],
  ['tomorrow', /Cannot advance the clock to "tomorrow"/],
])('it cannot be advanced to %s', async (instant, message) => {
  const { control } = manualTime()
  await control.advance('1s')
  await expect(control.advanceTo(instant)).rejects.toThrow(message)
  expect(control.now()).toBe(1_000)
})

test('it can be advanced to an instant given as a Date, a text or a number', async () => {
  const { control } = manualTime()
  await control.advanceTo(new Date(1_000))
  await control.advanceTo('1970-01-01T00:00:02Z')
  await control.advanceTo(3_000)
  expect(control.now()).toBe(3_000)
})

test('running until idle stops at the last event', async () => {
  const { control, log } = chained([100, 250])
  await control.runUntilIdle()
  expect([log.length, control.now()]).toEqual([4, 350])
})

test('running until idle gives up at its limit and lists the events that remain', async () => {
  const { control, schedule } = manualTime()
  const again = (at: number): void => void schedule.at(at + 60_000, again)
  again(0)
  await expect(control.runUntilIdle({ limit: '90s' })).rejects.toThrow(
    /Not idle after 90s: a job is scheduled for 1970-01-01T00:02:00.000Z/,
  )
})

test('an advance waits for work in flight before time continues', async () => {
  const { control, schedule, inFlight } = manualTime()
  const log: number[] = []
  schedule.at(10, () => {
    const work = new Promise<void>((resolve) => setImmediate(resolve)).then(
      () => void log.push(control.now()),
    )
    inFlight.track(work)
  })
  await control.advance('1h')
  expect(log).toEqual([10])
})

test('settled waits for an event that is still happening', async () => {
  const { control, schedule, inFlight } = manualTime()
  const later = () => new Promise<void>((resolve) => setImmediate(resolve))
  let isOver = false
  const begin = () => {
    schedule.at(0, async () => {
      await later()
      isOver = true
    })
    schedule.catchUp()
  }
  inFlight.track(later().then(begin))
  await control.settled()
  expect(isOver).toBe(true)
})

test('settled waits for due events and all their consequences, and does not move time', async () => {
  const { control, schedule, inFlight } = manualTime()
  const log: string[] = []
  schedule.at(0, () => {
    const work = new Promise<void>((resolve) => setImmediate(resolve))
    inFlight.track(work.then(() => void schedule.at(0, () => void log.push('set in motion'))))
  })
  schedule.at(1, () => void log.push('not due'))
  await control.settled()
  expect([log, control.now()]).toEqual([['set in motion'], 0])
})

test('the mode follows freeze and run, and an invalid speed is rejected', () => {
  const { control } = manualTime()
  expect([control.mode, control.speed]).toEqual(['manual', 0])
  control.run(60)
  expect([control.mode, control.speed]).toEqual(['real', 60])
  control.freeze()
  expect(control.mode).toBe('manual')
  for (const speed of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => control.run(speed)).toThrow(UsageError)
})
