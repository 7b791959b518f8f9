/**
 * 1,000 tests that create a task each. A variable chooses what answers them: the fixture, a simulator for each test
 * without the fixture, or a handwritten handler. Every variant imports the same modules.
 */
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, type RunnerTestCase, test } from 'vitest'
import { compiled } from '../../support/server.js'
import { ownCpuTime } from '../cpu-time.js'
import { loadLibrary, loadMswHost } from '../distribution.js'
import { createBody, KEY } from '../traffic.js'

const TESTS = 1_000
const URL = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

const begin = ownCpuTime()
const fixture: typeof import('../../../src/vitest/index.js') = await import(compiled('vitest/index.js'))
const importCpu = ownCpuTime() - begin
const { createSimulator } = await loadLibrary()
const { handlers } = await loadMswHost()

/** Creates a task, and reports the CPU time of this process so far, and that of the import of the fixture. */
async function createTask(number: number, task: RunnerTestCase): Promise<void> {
  const response = await fetch(URL, { method: 'POST', headers: HEADERS, body: createBody(number) })
  expect(response.status).toBe(200)
  Object.assign(task.meta, { cpu: ownCpuTime(), importCpu })
}

const VARIANTS: Readonly<Record<string, (title: string, number: number) => void>> = {
  fixture: (title, number) => fixture.test(title, ({ task }) => createTask(number, task)),

  simulators: (title, number) =>
    test(title, async ({ task }) => {
      const sim = createSimulator({ clock: 'manual' })
      await answering(handlers(sim), () => createTask(number, task))
      sim.close()
    }),

  handler: (title, number) =>
    test(title, ({ task }) =>
      answering([http.post(URL, () => HttpResponse.json({ id: 'task_1' }))], () => createTask(number, task)),
    ),
}

async function answering(given: Parameters<typeof setupServer>, body: () => Promise<void>): Promise<void> {
  const server = setupServer(...given)
  server.listen({ onUnhandledRequest: 'error' })
  await body()
  server.close()
}

const define = VARIANTS[process.env['BENCH_VARIANT'] ?? '']
for (let number = 0; number < TESTS; number++) define?.(`test ${number} creates a task`, number)
