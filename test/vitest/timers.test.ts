import { createRequire } from 'node:module'
import nodeTimers, { setInterval as nodeInterval, setTimeout as nodeTimeout } from 'node:timers'
import nodePromises, { scheduler, setInterval as ticks, setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HttpResponse, http } from 'msw'
import { afterEach, test as base, describe, vi } from 'vitest'
import { expect, simTest } from '../../src/vitest/index.js'
import { json } from '../support/json.js'

const API = 'https://api.example.com/api/v1'
const START = Date.parse('2026-01-01T00:00:00Z')
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const test = simTest({ baseUrl: API, scenario: { defaults: { delay: '10s' } } })

const create = () =>
  json(fetch(`${API}/tasks`, { method: 'POST', headers: HEADERS, body: '{"model": "m", "input": {}}' }))
const read = (id: unknown) => json(fetch(`${API}/tasks/${id}`, { headers: HEADERS }))

const RealDate = Date
const promisified = promisify(setTimeout)
const require = createRequire(import.meta.url)

/** Every way to wait that Node has. Modules may keep a function when they are loaded. */
const WAYS: Readonly<Record<string, (milliseconds: number) => Promise<unknown>>> = {
  setTimeout: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  'a promisified setTimeout': promisified,
  'a bound setTimeout': (milliseconds) =>
    new Promise((resolve) => setTimeout.call(null, resolve, milliseconds)),
  'a spied-on setTimeout': (milliseconds) => {
    vi.spyOn(globalThis, 'setTimeout')
    return new Promise((resolve) => setTimeout(resolve, milliseconds))
  },
  setInterval: (milliseconds) =>
    new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        clearInterval(timer)
        resolve()
      }, milliseconds)
    }),
  'setTimeout of node:timers': (milliseconds) => new Promise((resolve) => nodeTimeout(resolve, milliseconds)),
  'setInterval of node:timers': (milliseconds) =>
    new Promise<void>((resolve) => {
      const timer = nodeInterval(() => resolve(clearInterval(timer)), milliseconds)
    }),
  'setTimeout of the module node:timers': (milliseconds) =>
    new Promise((resolve) => nodeTimers.setTimeout(resolve, milliseconds)),
  'setTimeout of node:timers/promises': wait,
  'setTimeout of the module node:timers/promises': (milliseconds) => nodePromises.setTimeout(milliseconds),
  'setTimeout of node:timers, promises': (milliseconds) => nodeTimers.promises.setTimeout(milliseconds),
  'setTimeout of a required timers/promises': (milliseconds) =>
    require('node:timers/promises').setTimeout(milliseconds),
  'setInterval of node:timers/promises': async (milliseconds) => {
    for await (const _ of ticks(milliseconds)) return
  },
  'scheduler.wait': (milliseconds) => scheduler.wait(milliseconds),
}

describe('a poll loop that waits with', () => {
  for (const [way, sleep] of Object.entries(WAYS)) {
    test(`${way} ends on the clock`, async ({ sim }) => {
      const { id } = await create()
      let polls = 0
      for (; (await read(id)).status !== 'succeeded'; polls++) await sleep(3_000)
      expect(polls).toBe(4)
      expect(sim.clock.now()).toBe(START + 12_000)
      expect(Date.now()).toBe(START + 12_000)
    })
  }

  test('setInterval alone ends when it is cleared', async ({ sim }) => {
    const { id } = await create()
    const ended = await new Promise((resolve) => {
      const timer = setInterval(async () => {
        const task = await read(id)
        if (task.status === 'processing') return
        clearInterval(timer)
        resolve(task)
      }, 4_000)
    })
    expect(ended).toHaveSucceeded()
    expect(sim.clock.now()).toBe(START + 12_000)
  })

  test('the clock itself still works, with deadlines of requests', async ({ sim }) => {
    const call = async (path: string, init = {}) =>
      json(fetch(API + path, { ...init, headers: HEADERS, signal: AbortSignal.timeout(5_000) }))
    const { id } = await call('/tasks', { method: 'POST', body: '{"model": "m", "input": {}}' })
    while ((await call(`/tasks/${id}`)).status !== 'succeeded') await sim.clock.advance('3s')
    expect(sim.clock.now()).toBe(START + 12_000)
  })
})

describe('AbortSignal.timeout', () => {
  const hanging = simTest({ baseUrl: API, scenario: { faults: [{ then: { hang: true } }] } })

  hanging('ends a request that hangs, on the clock', async ({ sim }) => {
    const request = fetch(`${API}/tasks`, { headers: HEADERS, signal: AbortSignal.timeout(30_000) })
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(sim.clock.now()).toBe(START + 30_000)
  })

  test('does not move the clock after the answer, and does not end a request that is being answered', async ({
    sim,
  }) => {
    const signal = AbortSignal.timeout(30_000)
    const request = fetch(`${API}/tasks`, { headers: HEADERS, signal })
    await sim.clock.advance('1m')
    expect((await request).status).toBe(200)
    expect(signal.aborted).toBe(true)
    await create()
    expect(sim.clock.now()).toBe(START + 60_000)
  })

  test('rejects what the function of Node rejects', () => {
    expect(() => AbortSignal.timeout('1s' as never)).toThrow(TypeError)
  })
})

describe('a wait of node:timers/promises', () => {
  test('resolves with its value', async () => {
    expect(await wait(3_000, 'value')).toBe('value')
    const values: string[] = []
    for await (const value of ticks(3_000, 'tick')) if (values.push(value) === 2) break
    expect(values).toEqual(['tick', 'tick'])
    expect(Date.now()).toBe(START + 9_000)
  })

  test('ends when its signal aborts', async () => {
    const ended = { name: 'AbortError', code: 'ABORT_ERR' }
    await expect(wait(9_000, undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject(ended)
    await expect(wait(9_000, undefined, { signal: AbortSignal.timeout(2_000) })).rejects.toMatchObject(ended)
    const listening = async () => {
      for await (const _ of ticks(3_000, undefined, { signal: AbortSignal.timeout(4_000) }));
    }
    await expect(listening()).rejects.toMatchObject(ended)
    expect(Date.now()).toBe(START + 6_000)
  })
})

test('a timer that was cleared while requests were answered does not fire', async ({ sim }) => {
  const fired = vi.fn()
  const timer = setTimeout(fired, 30_000)
  Object(timer).unref()
  const answered = create().then(() => clearTimeout(timer))
  await sim.clock.advance('1m')
  await answered
  expect(fired).not.toHaveBeenCalled()
})

test('the clock waits for files', async ({ sim }) => {
  const { readFile } = await import('node:fs/promises')
  const timer = setTimeout(() => {}, 60_000)
  for (let reads = 0; reads < 20; reads++) await readFile(import.meta.filename)
  clearTimeout(timer)
  expect(sim.clock.now()).toBe(START)
})

describe('fake timers of Vitest', () => {
  afterEach(() => void vi.useRealTimers())

  for (const number of [1, 2]) {
    test(`replace the timers of the code under test in test ${number}`, async ({ sim }) => {
      vi.useFakeTimers()
      const { id } = await create()
      const polling = wait(5_000)
      const polled = new Promise((resolve) => setTimeout(() => resolve(read(id)), 10_000))
      await sim.clock.advance('10s')
      await polling
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await polled).toHaveSucceeded()
    })
  }

  base('leave real timers after the test', () => {
    const timer = setTimeout(() => {}, 10_000)
    clearTimeout(timer)
    expect(timer.constructor.name).toBe('Timeout')
    expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000)
  })
})

base('`Date` is restored after each test', () => {
  expect(Date).toBe(RealDate)
})

const withReal = simTest({ baseUrl: API, timers: 'real' })

withReal('timers are real on request', ({ sim }) => {
  const timer = setTimeout(() => {}, 10_000)
  clearTimeout(timer)
  expect(timer.constructor.name).toBe('Timeout')
  expect(Date.now()).not.toBe(sim.clock.now())
})

const onRealClock = simTest({ baseUrl: API, clock: 'real' })

onRealClock('and with a real clock', () => {
  const timer = setTimeout(() => {}, 10_000)
  clearTimeout(timer)
  expect(timer.constructor.name).toBe('Timeout')
})

test('a handler of the test may use timers', async ({ server, sim }) => {
  server.use(
    http.get('https://elsewhere.example/', async () => {
      await wait(2_000)
      return HttpResponse.text('here')
    }),
  )
  expect(await (await fetch('https://elsewhere.example/')).text()).toBe('here')
  expect(sim.clock.now()).toBe(START + 2_000)
})
