/** A client under test, in a process with either the handlers of the simulator or the handwritten ones. */
import type { HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { ownCpuTime } from '../cpu-time.js'
import { loadLibrary, loadMswHost } from '../distribution.js'
import { createBody, KEY, POLLS_PER_CREATE } from '../traffic.js'
import { answerParent } from '../worker.js'
import { byHand } from './by-hand.js'

const BASE_URL = 'https://api.example.com/api/v1'
const TASKS = 200
const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

let created = 0

/** @returns microseconds of CPU for one request, including the client */
async function round(): Promise<number> {
  const begin = ownCpuTime()
  for (let task = 0; task < TASKS; task++) await createAndPoll()
  return ((ownCpuTime() - begin) * 1_000) / (TASKS * (1 + POLLS_PER_CREATE))
}

async function createAndPoll(): Promise<void> {
  const body = createBody(created++)
  const { id } = await take(fetch(`${BASE_URL}/tasks`, { method: 'POST', headers: HEADERS, body }))
  for (let poll = 0; poll < POLLS_PER_CREATE; poll++) {
    const { status } = await take(fetch(`${BASE_URL}/tasks/${id}`, { headers: HEADERS }))
    if (status !== 'succeeded') throw new Error(`Expected the task to have succeeded, got ${status}`)
  }
}

async function take(pending: Promise<Response>): Promise<{ id: string; status: string }> {
  const response = await pending
  if (!response.ok) throw new Error(`Expected a success, got ${response.status}`)
  return (await response.json()) as { id: string; status: string }
}

async function handlersOfTasksim(): Promise<HttpHandler[]> {
  const { createSimulator } = await loadLibrary()
  const { handlers } = await loadMswHost()
  return handlers(createSimulator({ scenario: 'instant' }), { baseUrl: BASE_URL })
}

const handlers = process.argv[2] === 'tasksim' ? await handlersOfTasksim() : byHand(BASE_URL)
setupServer(...handlers).listen({ onUnhandledRequest: 'error' })
answerParent({ round })
