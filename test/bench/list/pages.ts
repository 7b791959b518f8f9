/** A simulator that holds as many finished tasks as it is told, and measures what pages of their list cost. */
import { ownCpuTime } from '../cpu-time.js'
import { loadApi, loadLibrary } from '../distribution.js'
import { listRequest } from '../in-process.js'
import { inputOf, KEY, MODEL } from '../traffic.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const PAGES = 2_000
/** A page for which all tasks are looked at costs a thousand times as much; fewer of them will do. */
const RARE_PAGES = 20
/** So many tasks end at a time while the simulator is filled, as they do when requests come in between. */
const BATCH = 500

/** Microseconds for one page. */
export interface Cost {
  readonly first: number
  readonly far: number
  readonly rare: number
}

const { createSimulator } = await loadLibrary()
const { answer } = await loadApi()
const sim = createSimulator({ scenario: 'instant' })
const ids: string[] = []

async function fill(): Promise<void> {
  while (ids.length < TASKS) {
    const order = { owner: KEY, model: MODEL, input: inputOf(ids.length), webhookUrl: undefined, origin: '' }
    const { id } = await sim.tasks.create(order)
    ids.push(id)
    if (ids.length % BATCH === 0) await sim.settled()
  }
  await sim.settled()
}

async function measure(): Promise<Cost> {
  const first = await time(PAGES, () => '')
  // Always the same page, as the first one is: the processor's cache and that of signed URLs are not what is measured.
  const far = await time(PAGES, () => `after=${ids[TASKS / 4]}`)
  return { first, far, rare: await time(RARE_PAGES, () => 'status=failed') }
}

async function time(pages: number, query: () => string): Promise<number> {
  const begin = ownCpuTime()
  for (let count = 0; count < pages; count++) {
    const { status } = await answer(sim, listRequest(query()))
    if (status !== 200) throw new Error(`Expected 200, got ${status}`)
  }
  return ((ownCpuTime() - begin) * 1_000) / pages
}

answerParent({ fill, measure })
