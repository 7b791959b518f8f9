/** Holds a number of tasks, or only of their inputs, and measures their memory. */
import { loadApi, loadLibrary } from '../distribution.js'
import { createRequest } from '../in-process.js'
import { createBody } from '../traffic.js'
import { answerParent } from '../worker.js'

const COUNT = 100_000
/** Excludes the memory of code and of its first use. */
const WARM_UP = 5_000

/** Bytes per item. */
export interface Growth {
  readonly heap: number
  readonly rss: number
}

/** Prevents garbage collection of the inputs before the measurement. */
const inputs: unknown[] = []

async function growthOf(add: (number: number) => Promise<void> | void): Promise<Growth> {
  for (let number = 0; number < WARM_UP; number++) await add(number)
  const before = await atRest()
  for (let number = 0; number < COUNT; number++) await add(WARM_UP + number)
  const after = await atRest()
  return { heap: (after.heap - before.heap) / COUNT, rss: (after.rss - before.rss) / COUNT }
}

async function atRest(): Promise<Growth> {
  // The engine returns pages to the system only over several collections, and between them.
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}

async function tasks(): Promise<Growth> {
  const { createSimulator } = await loadLibrary()
  const { answer } = await loadApi()
  const sim = createSimulator({ scenario: 'instant', keepTasks: Number.POSITIVE_INFINITY })
  const growth = await growthOf(async (number) => {
    const { status } = await answer(sim, createRequest(number))
    if (status !== 200) throw new Error(`Expected 200, got ${status}`)
  })
  await sim.settled()
  return growth
}

answerParent({
  tasks,
  inputs: () => growthOf((number) => void inputs.push(JSON.parse(createBody(number)).input)),
})
