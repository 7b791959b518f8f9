import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HttpResponse, http } from 'msw'
import { describe, onTestFinished, vi } from 'vitest'
import { expect, simTest, test } from '../../src/vitest/index.js'
import { folderWith } from '../cli/run.js'
import { deepTest } from '../support/deep.js'
import { json } from '../support/json.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const URL = 'https://api.example.com/api/v1/tasks'

const create = (url = URL) =>
  json(fetch(url, { method: 'POST', headers: HEADERS, body: '{"model": "m", "input": {"prompt": "waves"}}' }))

describe.each([1, 2])('in test %i', () => {
  test('the fixture provides a new simulator, with requests wired to it and a frozen clock', async ({
    sim,
  }) => {
    expect([...sim.journal.entries()]).toEqual([])
    expect(new Date(sim.clock.now()).toISOString()).toBe('2026-01-01T00:00:00.000Z')
    const { id } = await create()
    await sim.clock.advance('1m')
    expect(await json(fetch(`${URL}/${id}`, { headers: HEADERS }))).toHaveSucceeded()
    sim.useScenario('stuck')
  })
})

test('requests are answered even if the test does not use the fixture', async () => {
  expect((await create()).status).toBe('processing')
})

describe('an unhandled request fails with a message that names it', () => {
  test('and the paths that the simulator answers', async () => {
    await expect(fetch('https://elsewhere.example/things?key=1', { method: 'POST' })).rejects.toThrow(
      'The simulator does not answer POST https://elsewhere.example/things, but the paths of the API, such as /api/v1/tasks',
    )
  })

  test('also in a client of node:http', async ({ skip }) => {
    const { version } = JSON.parse(readFileSync('node_modules/msw/package.json', 'utf8'))
    skip(version === '2.12.0', 'MSW 2.12.0 never ends such a request of node:http')
    const error = await new Promise((resolve) => get('http://elsewhere.example/things').on('error', resolve))
    expect(error).toMatchObject({
      message: expect.stringContaining('GET http://elsewhere.example/things, but'),
    })
  })

  const replicate = simTest({ dialect: 'replicate' })

  replicate('and the nearest operations of its service', async () => {
    const request = new Request('https://api.replicate.com/v1/prediction', { method: 'POST' })
    await expect(fetch(request)).rejects.toThrow(
      'There is nothing at POST https://api.replicate.com/v1/prediction. The dialect replicate has POST /v1/predictions, ',
    )
  })

  const based = simTest({ baseUrl: 'https://api.example.com/ai' })

  based('and the base URL', async () => {
    await expect(fetch('https://api.example.com/v1/tasks')).rejects.toThrow(
      'GET https://api.example.com/v1/tasks, but requests below https://api.example.com/ai.',
    )
  })
})

/** Starts a server of the test, which uses the API of the simulator. @returns its port */
async function startOwn(): Promise<number> {
  const own = createServer(async ({ url }, response): Promise<void> => {
    if (url === '/') return void response.end('own')
    const { id } = await create()
    await wait(10_000)
    const task = await json(fetch(`${URL}/${id}`, { headers: HEADERS }))
    response.end(JSON.stringify(task))
  }).listen(0)
  await once(own, 'listening')
  onTestFinished(() => {
    own.closeAllConnections()
    own.close()
  })
  return (own.address() as AddressInfo).port
}

describe("a request to the test's own server", () => {
  test('reaches it, at any loopback name', async ({ sim }) => {
    const port = await startOwn()
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('own')
    const text = await new Promise((resolve) =>
      get({ host: '127.0.0.1', port, path: '/' }, (response) =>
        response.on('data', (data) => resolve(String(data))),
      ),
    )
    expect(text).toBe('own')
    expect(sim.journal.entries()).toEqual([])
  })

  test('may wait on the clock', async () => {
    expect(await json(fetch(`http://127.0.0.1:${await startOwn()}/generate`))).toHaveSucceeded()
  })

  const strict = simTest({ onUnhandledRequest: 'error' })

  strict('fails if the test asks for that', async () => {
    await expect(fetch(`http://127.0.0.1:${await startOwn()}/`)).rejects.toThrow()
  })

  const local = simTest({ baseUrl: 'http://localhost:4010/api/v1' })

  local('fails at another path of the base URL', async () => {
    expect((await create('http://localhost:4010/api/v1/tasks')).status).toBe('processing')
    await expect(fetch('http://localhost:4010/v1/tasks')).rejects.toThrow(
      'GET http://localhost:4010/v1/tasks, but',
    )
  })
})

test('a URL that contains the data is read without a message', async () => {
  const printed = vi.spyOn(console, 'error')
  expect(await (await fetch('data:text/plain,waves')).text()).toBe('waves')
  const url = globalThis.URL.createObjectURL(new Blob(['waves']))
  expect(await (await fetch(url)).text()).toBe('waves')
  globalThis.URL.revokeObjectURL(url)
  expect(printed).not.toHaveBeenCalled()
})

test('additional handlers answer requests that the simulator does not', async ({ server }) => {
  server.use(http.get('https://elsewhere.example/', () => HttpResponse.text('here')))
  expect(await (await fetch('https://elsewhere.example/')).text()).toBe('here')
})

const failing = simTest({
  scenario: { defaults: { failures: { rate: 1 } } },
  baseUrl: 'https://api.example.com/ai',
})

failing('a factory says how the simulator is made, and where', async ({ sim }) => {
  await create('https://api.example.com/ai/tasks')
  await sim.clock.advance('1m')
  expect(sim).toHaveFailed()
  await expect(create()).rejects.toThrow()
})

const contradictory = test.extend({ simOptions: { clock: 'real', timers: 'clock' } })

contradictory.fails('options that contradict each other fail the test', () => {})

test('and the next test has a simulator again', async () => {
  expect((await create()).status).toBe('processing')
})

const lenient = test.extend({ simOptions: { scenario: 'stuck', onUnhandledRequest: 'bypass' } })

lenient('an extended test says so as well', async ({ sim }) => {
  await create()
  await sim.clock.advance('30d')
  expect(sim).not.toHaveSucceeded()
})

describe('two tests in a row', { shuffle: false }, () => {
  let closed: () => boolean

  test('a test may leave pending work', async ({ sim }) => {
    await create()
    closed = () => sim.clock.mode === 'manual' && sim.clock.next === undefined
    expect(closed()).toBe(false)
  })

  test('and the next test starts without it', () => {
    expect(closed()).toBe(true)
  })
})

deepTest('concurrent tests fail with the reason', async () => {
  const [library, vitest] = ['src/vitest/index.ts', 'node_modules/vitest/vitest.mjs'].map((path) =>
    join(import.meta.dirname, '../..', path),
  )
  const body = 'async () => { await new Promise(setImmediate) }'
  const folder = folderWith({
    'a.test.mjs': `
      import { test } from ${JSON.stringify(library)}
      test.concurrent('one', ${body})
      test.concurrent('two', ${body})`,
  })
  const args = [String(vitest), 'run', '--root', folder, '--no-color']
  const running = promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  await expect(running).rejects.toMatchObject({
    stdout: expect.stringMatching(/1 failed \| 1 passed/),
    stderr: expect.stringContaining('Remove `.concurrent`'),
  })
})
