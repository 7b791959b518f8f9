/** A simulator with a constant number of pending tasks. It measures the cost of a lifecycle. */
import { ownCpuTime } from '../cpu-time.js'
import { loadLibrary } from '../distribution.js'
import { inputOf, KEY, MODEL } from '../traffic.js'
import { answerParent } from '../worker.js'

const PENDING = Number(process.argv[2])
const LIFECYCLES = 10_000
/** Small enough that the number of pending tasks hardly changes. */
const BATCH = Math.min(1_000, PENDING / 10)
const MEAN_DELAY = 3_600_000

const { createSimulator } = await loadLibrary()
// Exponential delays: the mean number of tasks that end in an interval is constant.
const sim = createSimulator({
  clock: 'manual',
  scenario: { defaults: { delay: { mean: `${MEAN_DELAY}ms` } } },
  keepBytes: Number.POSITIVE_INFINITY,
})
let created = 0
let finished = 0
sim.on('task.finished', () => {
  finished += 1
})

function create(inputs: readonly ReturnType<typeof inputOf>[]): void {
  for (const input of inputs)
    sim.tasks.create({
      owner: KEY,
      model: MODEL,
      input,
      webhookUrl: undefined,
      origin: 'http://127.0.0.1:4010',
    })
}

function newInputs(count: number): ReturnType<typeof inputOf>[] {
  return Array.from({ length: count }, () => inputOf(created++))
}

/** @returns microseconds of CPU for one lifecycle: one task begins and another one ends */
async function measure(): Promise<number> {
  const batches = Array.from({ length: LIFECYCLES / BATCH }, () => newInputs(BATCH))
  const endedBefore = finished
  const begin = ownCpuTime()
  for (const inputs of batches) {
    create(inputs)
    await sim.clock.advance(Math.round((MEAN_DELAY * BATCH) / PENDING))
  }
  return ((ownCpuTime() - begin) * 1_000) / ((LIFECYCLES + finished - endedBefore) / 2)
}

async function fill(): Promise<void> {
  create(newInputs(PENDING))
  for (let round = 0; round < 3; round++) await measure()
}

answerParent({ fill, measure })
