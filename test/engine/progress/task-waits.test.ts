import { afterEach, expect, test, vi } from 'vitest'
import { createSimulator, type Task } from '../../../src/index.js'
import { create, liveOf, simulate } from '../../support/simulations.js'

afterEach(() => {
  vi.useRealTimers()
})

/** Returns the status with which each wait ends, in the order of their ends. */
function log(waits: Record<string, Promise<Task | undefined>>): string[] {
  const ends: string[] = []
  for (const [name, wait] of Object.entries(waits)) wait.then((task) => ends.push(`${name} ${task?.status}`))
  return ends
}

test('every wait for a task ends with the task, at its end', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  const waits = [liveOf(sim).waits.untilEnd(id, 60_000), liveOf(sim).waits.untilEnd(id, 1_500)]
  await sim.clock.advance('1s')
  expect(await Promise.all(waits)).toMatchObject([
    { status: 'succeeded', completedAt: 1_000 },
    { status: 'succeeded', completedAt: 1_000 },
  ])
  expect((await liveOf(sim).waits.untilEnd(id, 60_000))?.status).toBe('succeeded')
  expect(sim.clock.next).toBeUndefined()
})

test('a wait ends with an unfinished task once its time has passed on the clock', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  const ends = log({
    short: liveOf(sim).waits.untilEnd(id, 400),
    long: liveOf(sim).waits.untilEnd(id, 5_000),
    none: liveOf(sim).waits.untilEnd(id, 0),
  })
  await sim.clock.advance('399ms')
  expect(ends).toEqual(['none processing'])
  await sim.clock.advance('1ms')
  expect(ends).toEqual(['none processing', 'short processing'])
  await sim.tasks.cancel(id)
  await sim.settled()
  expect(ends).toEqual(['none processing', 'short processing', 'long canceled'])
})

test('on a manual clock, a wait lasts for the patience after the last advance', async () => {
  vi.useFakeTimers()
  const sim = simulate({ patience: '2s', scenario: { defaults: { delay: '1h' } } })
  const { id } = await create(sim)
  const ends = log({ wait: liveOf(sim).waits.untilEnd(id, 60_000) })
  await vi.advanceTimersByTimeAsync(1_999)
  await sim.clock.advance('1s')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ends).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(ends).toEqual(['wait processing'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a manual clock that nobody advances moves on to the end of the task', async () => {
  vi.useFakeTimers()
  const sim = simulate({ patience: '2s', scenario: { defaults: { delay: '10s' } } })
  const { id } = await create(sim)
  const ends = log({ wait: liveOf(sim).waits.untilEnd(id, 60_000) })
  await vi.advanceTimersByTimeAsync(2_100)
  expect(ends).toEqual(['wait succeeded'])
  expect(sim.clock.now()).toBe(10_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('on a running clock, a wait lasts for its whole time', async () => {
  vi.useFakeTimers()
  const sim = createSimulator({ speed: 10, patience: 0, scenario: { defaults: { delay: '1h' } } })
  const { id } = await create(sim)
  const ends = log({ wait: liveOf(sim).waits.untilEnd(id, 60_000) })
  await vi.advanceTimersByTimeAsync(5_990)
  expect(ends).toEqual([])
  await vi.advanceTimersByTimeAsync(20)
  expect(ends).toEqual(['wait processing'])
  sim.close()
})

test('a wait counts as one poll', async () => {
  const sim = simulate({ scenario: { defaults: { delay: { polls: 2 } } } })
  const { id } = await create(sim)
  const first = liveOf(sim).waits.untilEnd(id, 60_000)
  expect((await liveOf(sim).waits.untilEnd(id, 60_000))?.status).toBe('succeeded')
  expect((await first)?.status).toBe('succeeded')
})

test('a wait ends when its client disconnects, and leaves nothing behind', async () => {
  vi.useFakeTimers()
  const sim = simulate({ scenario: 'stuck' })
  const { id } = await create(sim)
  const client = new AbortController()
  const waits = [
    liveOf(sim).waits.untilEnd(id, 60_000, client.signal),
    liveOf(sim).waits.untilNext(id, { logs: 1 }, 60_000, client.signal),
  ]
  client.abort()
  expect((await Promise.all(waits)).map((task) => task?.status)).toEqual(['processing', 'processing'])
  expect((await liveOf(sim).waits.untilEnd(id, 60_000, client.signal))?.status).toBe('processing')
  expect([sim.clock.next, vi.getTimerCount()]).toEqual([undefined, 0])
})

test('a reset, a close and an unknown id end a wait without a task', async () => {
  const sim = simulate()
  const { id } = await create(sim)
  const abandoned = liveOf(sim).waits.untilEnd(id, 60_000)
  await sim.reset()
  expect(await abandoned).toBeUndefined()
  expect(await liveOf(sim).waits.untilEnd(id, 60_000)).toBeUndefined()
  const again = await create(sim)
  const closed = liveOf(sim).waits.untilEnd(again.id, 60_000)
  sim.close()
  expect(await closed).toBeUndefined()
})

test('a client that waits for more gets each change at its instant, and then the end', async () => {
  const sim = simulate({ scenario: { capacity: { running: 1 }, defaults: { delay: '10s' } } })
  await create(sim)
  const { id } = await create(sim, { input: { n: 4 } })
  const seen: string[] = []
  const stream = async () => {
    let [status, outputs]: [Task['status'], number] = ['queued', 0]
    while (status === 'queued' || status === 'processing') {
      const task = await liveOf(sim).waits.untilNext(id, { status, outputs }, 60_000)
      if (task === undefined) return
      status = task.status
      outputs += (await liveOf(sim).progress.outputsOf(task, outputs)).length
      seen.push(`${status} ${outputs} at ${sim.clock.now()}`)
    }
  }
  const streamed = stream()
  await sim.clock.advance('1h')
  await streamed
  expect(seen).toEqual([
    'processing 0 at 10000',
    'processing 1 at 12500',
    'processing 2 at 15000',
    'processing 3 at 17500',
    'succeeded 4 at 20000',
  ])
})

test('a client that waits for log lines gets all of them, however late it asks', async () => {
  const sim = simulate({ scenario: { defaults: { delay: '10s' } } })
  const { id } = await create(sim)
  await sim.clock.advance('5s')
  const task = await liveOf(sim).waits.untilNext(id, { logs: 0 }, 60_000)
  const logs = task === undefined ? 0 : liveOf(sim).progress.logsOf(task).length
  expect(logs).toBeGreaterThan(1)
  const next = liveOf(sim).waits.untilNext(id, { logs }, 60_000)
  await sim.clock.advance('10s')
  expect(await next).toBeDefined()
})

test('a client that waits for more of a stuck task that counts polls waits for its whole time', async () => {
  const rules = [{ when: {}, then: { outcome: 'stuck' as const } }]
  const sim = simulate({ scenario: { defaults: { delay: { polls: 2 } }, rules } })
  const { id } = await create(sim, { input: { n: 4 } })
  const wait = async () => {
    const waiting = liveOf(sim).waits.untilNext(id, { outputs: 3 }, 1_000)
    await sim.clock.advance('1s')
    return (await waiting)?.status
  }
  for (let time = 1; time <= 4; time++)
    expect([await wait(), sim.clock.now()]).toEqual(['processing', time * 1_000])
  expect((await liveOf(sim).waits.untilNext(id, { outputs: 2 }, 1_000))?.status).toBe('processing')
})
