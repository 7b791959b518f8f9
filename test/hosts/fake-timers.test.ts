import { setupServer } from 'msw/node'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type ReceiverFunction, type Simulator } from '../../src/index.js'
import { json } from '../support/json.js'

const TASKS = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const NOON = Date.parse('2026-05-01T12:00:00Z')

const received: string[] = []
const receive: ReceiverFunction = async (request) => {
  const { event, task } = JSON.parse(await request.text())
  received.push(`${event} ${task.id}`)
  return new Response(null, { status: received.length === 1 ? 503 : 204 })
}

let sim: Simulator
const server = setupServer()

beforeEach(() => {
  received.length = 0
  vi.useFakeTimers({ now: NOON })
  sim = createSimulator({ scenario: { defaults: { delay: '10s' } }, receivers: [receive] })
  server.use(...handlers(sim))
  server.listen({ onUnhandledRequest: 'error' })
})
afterEach(() => {
  server.close()
  sim.close()
  vi.useRealTimers()
})

const create = () =>
  json(fetch(TASKS, { method: 'POST', headers: HEADERS, body: '{"model":"acme/image-1","input":{}}' }))
const retrieve = (id: string) => json(fetch(`${TASKS}/${id}`, { headers: HEADERS }))

test('the fake timers of a test runner move a task to its end, and deliver its webhook', async () => {
  const { id, status, created_at } = await create()
  expect([status, created_at]).toEqual(['processing', '2026-05-01T12:00:00.000Z'])
  await vi.advanceTimersByTimeAsync(9_999)
  expect([(await retrieve(id)).status, received]).toEqual(['processing', []])
  await vi.advanceTimersByTimeAsync(1)
  expect(received).toEqual([`task.succeeded ${id}`])
  expect(await retrieve(id)).toMatchObject({
    status: 'succeeded',
    completed_at: '2026-05-01T12:00:10.000Z',
  })
})

test('fake timers also drive the retry of a rejected webhook', async () => {
  const { id } = await create()
  await vi.advanceTimersByTimeAsync(10_999)
  expect(received).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(received).toEqual([`task.succeeded ${id}`, `task.succeeded ${id}`])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(received).toHaveLength(2)
})

test('a polling loop of the application ends on fake timers', async () => {
  const { id } = await create()
  const poll = async (): Promise<string> => {
    const { status } = await retrieve(id)
    if (status !== 'processing') return status
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    return poll()
  }
  const ended = poll()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(await ended).toBe('succeeded')
})
