/** A simulator with a given number of finished tasks, which measures the cost of pages of their list. */
import { loadLibrary } from '../distribution.js'
import { cpuPerAnswer, fill } from '../filled.js'
import { listRequest } from '../in-process.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const PAGES = 2_000
/** A page that scans all tasks costs a thousand times as much, so fewer of them are enough. */
const RARE_PAGES = 20

/** Microseconds per page. */
export interface Cost {
  readonly first: number
  readonly far: number
  readonly rare: number
}

const { createSimulator } = await loadLibrary()
const sim = createSimulator({
  scenario: 'instant',
  keepTasks: Number.POSITIVE_INFINITY,
  keepBytes: Number.POSITIVE_INFINITY,
})
let ids: string[] = []

async function fillUp(): Promise<void> {
  ids = await fill(sim, TASKS, 0)
  await sim.settled()
}

async function measure(): Promise<Cost> {
  const first = await time(PAGES, '')
  // Reads the same page each time, to exclude effects of the processor cache and of the cache of signed URLs.
  const far = await time(PAGES, `after=${ids[TASKS / 4]}`)
  return { first, far, rare: await time(RARE_PAGES, 'status=failed') }
}

function time(pages: number, query: string): Promise<number> {
  const request = listRequest(query)
  return cpuPerAnswer(sim, pages, () => request)
}

answerParent({ fill: fillUp, measure })
