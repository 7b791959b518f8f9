/** A simulator with a given number of tasks, which measures the cost of requests. */
import type { ApiRequest } from '../../../src/exchange/exchange.js'
import { loadLibrary } from '../distribution.js'
import { cpuPerAnswer, fill } from '../filled.js'
import { createRequest, pollRequest } from '../in-process.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const CREATES = 1_000
const POLLS = 10_000
/** The number of tasks, spread over all, that are polled repeatedly. */
const POLLED = 500

/** Microseconds per request. */
export interface Cost {
  readonly create: number
  readonly poll: number
}

const { createSimulator } = await loadLibrary()
const sim = createSimulator({
  scenario: 'instant',
  keepTasks: Number.POSITIVE_INFINITY,
  keepBytes: Number.POSITIVE_INFINITY,
})
let ids: string[] = []
let created = 0

async function refill(): Promise<void> {
  await sim.reset()
  ids = await fill(sim, TASKS, created)
  created += TASKS
}

async function measure(): Promise<Cost> {
  // Removes the tasks of earlier rounds, so that few tasks stay few.
  if (TASKS <= CREATES) await refill()
  const create = await cpuPerAnswer(sim, CREATES, () => createRequest(created++))
  await sim.settled()
  // Polls the same number of distinct tasks for every size, to exclude effects of the processor cache. The requests
  // exist before, and their ids are copies as those of a client are, so that only the simulator's work is measured.
  const step = Math.floor(ids.length / POLLED)
  const requests = Array.from({ length: POLLED }, (_, place) => pollRequest(copyOf(ids[place * step] ?? '')))
  let place = 0
  const poll = await cpuPerAnswer(sim, POLLS, () => {
    place = (place + 1) % POLLED
    return requests[place] as ApiRequest
  })
  return { create, poll }
}

function copyOf(text: string): string {
  return Buffer.from(text).toString()
}

async function warmUp(): Promise<void> {
  for (let round = 0; round < 5; round++) await measure()
}

answerParent({ fill: refill, measure, 'warm up': warmUp })
