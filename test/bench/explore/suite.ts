/** The exploration of a client that sends ten requests, and a test that reports the CPU time that it took. */
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { compiled } from '../../support/server.js'
import { ownCpuTime } from '../cpu-time.js'

const { explore }: typeof import('../../../src/vitest/index.js') = await import(compiled('vitest/index.js'))

const URL = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const ORDER = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
const POLLS = 8
const INTERVAL = 3_000

let begin: number | undefined
let end = Number.NaN

/** Creates a task, polls it eight times, and fetches its file: ten requests. It has no retries, so a run ends soon. */
async function generate(): Promise<void> {
  begin ??= ownCpuTime()
  const read = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(60_000), ...init })
    if (!response.ok) throw new Error(`The service answered with ${response.status}.`)
    return response
  }
  let task = await (await read(URL, { method: 'POST', body: ORDER })).json()
  for (let polls = 1; polls <= POLLS; polls++) {
    await sleep(INTERVAL)
    task = await (await read(`${URL}/${task.id}`)).json()
  }
  await (await read(task.output.images[0])).arrayBuffer()
}

const scenario = { defaults: { delay: `${INTERVAL * POLLS - 1_000}ms` } } as const

explore('ten requests', { scenario, failOn: 'never' }, async () => {
  await generate().finally(() => {
    end = ownCpuTime()
  })
})

test('CPU', ({ task }) => {
  Object.assign(task.meta, { cpu: end - (begin ?? Number.NaN) })
})
