import { getResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import type { ArmedDeviation } from '../../src/engine/exploration/armed-deviation.js'
import { readPlace } from '../../src/engine/exploration/place.js'
import { functionTransport } from '../../src/engine/webhooks/attempts/transport.js'
import { planRuns } from '../../src/explore/plan.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type Simulator } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { sampleOf } from '../support/deep.js'
import { headersFor, idIn, SERVICES, type Service } from '../support/services.js'

const HOOK = 'http://localhost:3000/hooks'
const ERRORS = [{ code: 'out_of_memory', message: 'No memory is left.' }]

/** Creates a task, polls it until it should have ended, and downloads its files. It repeats nothing. */
async function generate(sim: Simulator, name: string, service: Service): Promise<void> {
  const { create, body, hook, task, interval, result, origin } = service
  const own = handlers(sim, name === 'tasks' ? {} : { dialect: name })
  const send = async (path: string, init: RequestInit = {}) => {
    const isSigned = path.startsWith('http') && !/content|:download/.test(path)
    const headers = headersFor(service, isSigned ? '' : undefined)
    const request = new Request(path.startsWith('http') ? path : origin + path, { headers, ...init })
    const timeout = sim.time.pause(60_000).then(() => {
      throw new Error('timeout')
    })
    timeout.catch(() => {})
    const answer = getResponse(own, request).then((response) => response?.text() ?? '')
    return Promise.race([answer, timeout])
  }
  const order = { ...body, ...(hook !== undefined && { [hook]: HOOK }) }
  const created = JSON.parse(await send(create, { method: 'POST', body: JSON.stringify(order) }))
  const id = idIn(service, created)
  let answer = ''
  for (let waited = 0; waited < 4; waited += interval) {
    await sim.time.pause(interval * 1_000)
    answer = await send(task(id))
  }
  if (result !== undefined) answer = await send(result(id))
  for (const [url] of answer.matchAll(/https?:[^"]+?\/(?:files\/|[^"]+\/content)[^"]*/g)) await send(url)
}

/** Runs the client. @returns the exploration, with what has been reached and applied */
async function run(
  name: string,
  service: Service,
  deviations: ArmedDeviation[] = [],
  orders?: readonly string[],
) {
  const sim = createSimulator({
    clock: 'manual',
    renderer: { render: async () => new Uint8Array(10_000) },
    scenario: { defaults: { delay: '2s', failures: { rate: 0, errors: ERRORS } } },
    transport: functionTransport(() => new Response(null, { status: 204 })),
  })
  // The clock must not run ahead while the dialect is loaded.
  await sim.dialects.load(name)
  const exploration = await sim.explore({ deviations, orders })
  await advanceUntilDone(
    sim,
    generate(sim, name, service).catch(() => {}),
  )
  await sim.clock.advance('10m')
  sim.close()
  return exploration
}

const TASKS: Service = {
  origin: 'https://api.example.com',
  create: '/api/v1/tasks',
  body: { model: 'acme/image-1', input: { prompt: 'waves' } },
  hook: 'webhook_url',
  task: (id) => `/api/v1/tasks/${id}`,
  interval: 1,
}

describe('the planned deviations', () => {
  const services = Object.entries({ tasks: TASKS, ...SERVICES })
  it.each(sampleOf(2, services))('of a run against %s happen at their places', async (name, service) => {
    const baseline = await run(name, service)
    const runs = planRuns(baseline.places)
    expect(runs.length).toBeGreaterThan(30)
    expect(baseline.places.filter(({ id }) => readPlace(id) === undefined)).toEqual([])
    for (const { id, deviations } of runs) {
      const armed = deviations.map((each) => each.armed)
      const { applied } = await run(name, service, armed, baseline.orders)
      expect([...applied], id).toEqual([id])
    }
  })
})

it('a task whose answers do not show its output cannot lack it', async () => {
  const baseline = await run('openai', {
    origin: 'https://api.openai.com',
    create: '/v1/videos',
    body: { model: 'sora-2', prompt: 'waves' },
    task: (id) => `/v1/videos/${id}`,
    interval: 1,
  })
  const ids = planRuns(baseline.places).map(({ id }) => id)
  expect(ids).toContain('task#1:stuck')
  expect(ids.filter((id) => id.endsWith(':no_output'))).toEqual([])
})
