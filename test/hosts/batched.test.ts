import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { batched } from '../../src/hosts/express/batched.js'
import { listen } from '../../src/hosts/express/index.js'
import { simulate } from '../support/simulations.js'

/** Collects the functions that are to run later. */
function deferrals() {
  const waiting: (() => void)[] = []
  return {
    defer: (run: () => void) => void waiting.push(run),
    runAll: () => {
      for (const run of waiting.splice(0)) run()
    },
    waiting,
  }
}

test('items are handled together and in their order, with those that arrive meanwhile', () => {
  const { defer, runAll, waiting } = deferrals()
  const handled: string[] = []
  const add = batched<{ readonly name: string }>(defer, ({ name }) => {
    handled.push(name)
    if (name === 'a') add({ name: 'c' })
  })
  for (const name of ['a', 'b']) add({ name })
  expect([handled, waiting.length]).toEqual([[], 1])
  runAll()
  expect(handled).toEqual(['a', 'b', 'c'])
  add({ name: 'd' })
  runAll()
  expect(handled).toEqual(['a', 'b', 'c', 'd'])
})

test('an error does not affect the other items', () => {
  const { defer, runAll } = deferrals()
  const handled: string[] = []
  const add = batched<{ readonly name: string }>(defer, ({ name }) => {
    if (name === 'bad') throw new Error('bad')
    handled.push(name)
  })
  for (const name of ['a', 'bad', 'b']) add({ name })
  expect(runAll).toThrow('bad')
  runAll()
  expect(handled).toEqual(['a', 'b'])
})

async function serve() {
  const sim = simulate()
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    vi.useRealTimers()
    sim.close()
    await close()
  })
  return { sim, baseUrl }
}

const HEADERS = { authorization: 'Bearer k', 'content-type': 'application/json' }
const BODY = '{"model":"acme/image-1","input":{}}'

test('a server answers while a test runner fakes all timers', async () => {
  vi.useFakeTimers()
  const { baseUrl } = await serve()
  const url = `${baseUrl}/tasks`
  const created = await fetch(url, { method: 'POST', headers: HEADERS, body: BODY })
  expect(created.status).toBe(200)
  const { id } = (await created.json()) as { id: string }
  expect((await fetch(`${url}/${id}`, { headers: HEADERS })).status).toBe(200)
})

test('a request counts even if its client resets the connection right after it', async () => {
  const { sim, baseUrl } = await serve()
  const socket = connect({ port: Number(new URL(baseUrl).port), host: '127.0.0.1' })
  await once(socket, 'connect')
  const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer k\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`
  socket.write(head + BODY, () => socket.resetAndDestroy())
  await expect.poll(() => [...sim.tasks.all()]).toHaveLength(1)
})
