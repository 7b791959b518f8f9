/** A simulator that holds as many tasks as it is told, and measures what requests cost then. */
import { ownCpuTime } from '../cpu-time.js'
import { loadApi, loadLibrary } from '../distribution.js'
import { createRequest, pollRequest } from '../in-process.js'
import { inputOf, KEY, MODEL } from '../traffic.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const CREATES = 1_000
const POLLS = 10_000
/** So many tasks, spread over all, are polled again and again. */
const POLLED = 500
/** So many tasks end at a time while the simulator is filled, as they do when requests come in between. */
const BATCH = 500

/** Microseconds for one request. */
export interface Cost {
  readonly create: number
  readonly poll: number
}

const { createSimulator } = await loadLibrary()
const { answer } = await loadApi()
const sim = createSimulator({ scenario: 'instant' })
let ids: string[] = []
let created = 0

async function fill(): Promise<void> {
  await sim.reset()
  ids = []
  while (ids.length < TASKS) {
    const order = { owner: KEY, model: MODEL, input: inputOf(created++), webhookUrl: undefined, origin: '' }
    const { id } = await sim.tasks.create(order)
    ids.push(id)
    if (ids.length % BATCH === 0) await sim.settled()
  }
}

async function measure(): Promise<Cost> {
  // What the rounds before have added must not turn few tasks into many.
  if (TASKS <= CREATES) await fill()
  const create = await time(CREATES, () => createRequest(created++))
  // As many different tasks whatever is stored: the processor's cache is not what is measured.
  const step = Math.floor(ids.length / POLLED)
  let place = 0
  const poll = await time(POLLS, () => {
    place = (place + 1) % POLLED
    return pollRequest(ids[place * step] ?? '')
  })
  return { create, poll }
}

async function time(requests: number, next: () => Parameters<typeof answer>[1]): Promise<number> {
  const begin = ownCpuTime()
  for (let count = 0; count < requests; count++) {
    const { status } = await answer(sim, next())
    if (status !== 200) throw new Error(`Expected 200, got ${status}`)
  }
  return ((ownCpuTime() - begin) * 1_000) / requests
}

async function warmUp(): Promise<void> {
  for (let round = 0; round < 5; round++) await measure()
}

answerParent({ fill, measure, 'warm up': warmUp })
