/** The real server in real time, with many tasks about to end. It measures how late each of them ends. */
import { compiled } from '../../support/server.js'
import { loadLibrary } from '../distribution.js'
import { inputOf, KEY, MODEL } from '../traffic.js'
import { answerParent } from '../worker.js'

const TASKS = 100_000
/** All tasks are created before the first one ends. */
const DELAY = { min: '5s', max: '15s' } as const

const { createSimulator } = await loadLibrary()
const { listen }: typeof import('../../../src/hosts/express/index.js') = await import(
  compiled('hosts/express/index.js')
)

const sim = createSimulator({ scenario: { kinds: { image: { delay: DELAY } } } })
const lateness: number[] = []
sim.on('task.finished', (_, at) => lateness.push(sim.clock.now() - at))
const { baseUrl } = await listen(sim, { port: 0 })

async function fill(): Promise<void> {
  const begin = performance.now()
  for (let task = 0; task < TASKS; task++) {
    const order = { owner: KEY, model: MODEL, input: inputOf(-task), webhookUrl: undefined, origin: '' }
    await sim.tasks.create(order)
  }
  const took = performance.now() - begin
  if (took > 5_000)
    throw new Error(`The tasks took ${Math.round(took)} ms to make; the first had ended by then`)
}

answerParent({ port: () => Number(new URL(baseUrl).port), fill, lateness: () => lateness })
