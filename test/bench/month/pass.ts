/** Advances a month over a given number of tasks, with or without a webhook receiver. */
import type { Transport } from '../../../src/index.js'
import { loadLibrary } from '../distribution.js'
import { inputOf, KEY, MODEL } from '../traffic.js'
import { answerParent } from '../worker.js'

const TASKS = Number(process.argv[2])
const hasReceiver = process.argv[3] === 'webhooks'

const { createSimulator } = await loadLibrary()
let received = 0
const transport: Transport = async () => {
  received += 1
  return { status: 204, headers: {}, body: '' }
}

/** @returns milliseconds for the advance alone */
async function pass(): Promise<number> {
  const sim = createSimulator({
    clock: 'manual',
    scenario: { defaults: { delay: { min: '1s', max: '29d' } } },
    transport,
    receivers: hasReceiver ? ['http://127.0.0.1:9/webhooks'] : [],
  })
  received = 0
  for (let task = 0; task < TASKS; task++) {
    await sim.tasks.create({
      owner: KEY,
      model: MODEL,
      input: inputOf(task),
      webhookUrl: undefined,
      origin: 'http://127.0.0.1:4010',
    })
  }
  const begin = performance.now()
  await sim.clock.advance('30d')
  const took = performance.now() - begin
  if (received !== (hasReceiver ? TASKS : 0)) throw new Error(`Expected ${TASKS} webhooks, got ${received}`)
  if (sim.clock.next !== undefined) throw new Error('Expected all tasks to have ended')
  return took
}

answerParent({ pass })
