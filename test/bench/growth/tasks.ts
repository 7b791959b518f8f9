/** A simulator that holds as many tasks as it is told, and measures what requests cost then. */
import { loadLibrary } from '../distribution.js'
import { cpuPerAnswer, fill } from '../filled.js'
import { createRequest, pollRequest } from '../in-process.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const CREATES = 1_000
const POLLS = 10_000
/** So many tasks, spread over all, are polled again and again. */
const POLLED = 500

/** Microseconds for one request. */
export interface Cost {
  readonly create: number
  readonly poll: number
}

const { createSimulator } = await loadLibrary()
const sim = createSimulator({ scenario: 'instant', keepTasks: Number.POSITIVE_INFINITY })
let ids: string[] = []
let created = 0

async function refill(): Promise<void> {
  await sim.reset()
  ids = await fill(sim, TASKS, created)
  created += TASKS
}

async function measure(): Promise<Cost> {
  // What the rounds before have added must not turn few tasks into many.
  if (TASKS <= CREATES) await refill()
  const create = await cpuPerAnswer(sim, CREATES, () => createRequest(created++))
  // As many different tasks whatever is stored: the processor's cache is not what is measured.
  const step = Math.floor(ids.length / POLLED)
  let place = 0
  const poll = await cpuPerAnswer(sim, POLLS, () => {
    place = (place + 1) % POLLED
    return pollRequest(ids[place * step] ?? '')
  })
  return { create, poll }
}

async function warmUp(): Promise<void> {
  for (let round = 0; round < 5; round++) await measure()
}

answerParent({ fill: refill, measure, 'warm up': warmUp })
