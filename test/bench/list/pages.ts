/** A simulator that holds as many finished tasks as it is told, and measures what pages of their list cost. */
import { loadLibrary } from '../distribution.js'
import { cpuPerAnswer, fill } from '../filled.js'
import { listRequest } from '../in-process.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const PAGES = 2_000
/** A page for which all tasks are looked at costs a thousand times as much; fewer of them will do. */
const RARE_PAGES = 20

/** Microseconds for one page. */
export interface Cost {
  readonly first: number
  readonly far: number
  readonly rare: number
}

const { createSimulator } = await loadLibrary()
const sim = createSimulator({ scenario: 'instant', keepTasks: Number.POSITIVE_INFINITY })
let ids: string[] = []

async function fillUp(): Promise<void> {
  ids = await fill(sim, TASKS, 0)
  await sim.settled()
}

async function measure(): Promise<Cost> {
  const first = await time(PAGES, () => '')
  // Always the same page, as the first one is: the processor's cache and that of signed URLs are not what is measured.
  const far = await time(PAGES, () => `after=${ids[TASKS / 4]}`)
  return { first, far, rare: await time(RARE_PAGES, () => 'status=failed') }
}

function time(pages: number, query: () => string): Promise<number> {
  return cpuPerAnswer(sim, pages, () => listRequest(query()))
}

answerParent({ fill: fillUp, measure })
