import { expect, it } from 'vitest'
import { defineScenario, type ScenarioInput } from '../../src/index.js'
import { deepTest, sampleOf } from '../support/deep.js'
import { describeHosts, IMAGE, type Open } from './hosts.js'

const SLOW: ScenarioInput = { defaults: { delay: '1h' } }

async function openSandbox(open: Open, scenario = SLOW) {
  const client = await open()
  const sandbox = client.sim.createSandbox({ scenario: defineScenario(scenario), clock: 'manual' })
  const headers = { authorization: `Bearer ${sandbox.identity.key}`, 'content-type': 'application/json' }
  const request = async (path: string, method = 'GET', body?: object) => {
    const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await client.send(path, sent)
    return { status: response.status, text: await response.text() }
  }
  const create = (input: object = IMAGE) => request('/api/v1/tasks', 'POST', input)
  return { ...sandbox, request, create }
}

async function openTask(open: Open, scenario = SLOW) {
  const sandbox = await openSandbox(open, scenario)
  const { id } = JSON.parse((await sandbox.create()).text) as { id: string }
  return { ...sandbox, id, poll: () => sandbox.request(`/api/v1/tasks/${id}`) }
}

type Answered = { readonly status: number; readonly text: string }

/** Sends a request so often that the loop is in the middle of its rejections. @returns the status of the last one */
async function repeat(times: number, send: () => Promise<Answered>): Promise<Answered> {
  for (let time = 1; time < times; time++) await send()
  return send()
}

describeHosts('a poll loop without any wait, in a sandbox on a manual clock,', (open) => {
  it('is rejected and then cut off, is found, and goes on after an advance of the clock', async () => {
    const { sim, poll } = await openTask(open)
    expect((await repeat(1_000, poll)).status).toBe(200)
    const rejected = await poll()
    expect(rejected.status).toBe(400)
    expect(rejected.text).toMatch(/1000 times without a wait, while the clock stood still/)
    expect((await repeat(99, poll)).status).toBe(400)
    expect(await poll().catch(() => ({ status: 0 }))).toMatchObject({ status: 0 })
    const [loop] = (await sim.findings({ final: true })).filter(({ id }) => id === 'polls-too-fast')
    expect(loop?.evidence).toMatchObject([
      { seen: expect.stringMatching(/^1000 polls came within .+ stood still/) },
    ])
    await sim.clock.advance(1)
    expect((await poll()).status).toBe(200)
  })

  deepTest('is rejected also for a task that is stuck', async () => {
    const { poll } = await openTask(open, { extends: 'stuck', defaults: { delay: { polls: 2 } } })
    expect((await repeat(1_001, poll)).status).toBe(400)
  })

  it('may wait for a task that ends at a poll', async () => {
    const { poll } = await openTask(open, { defaults: { delay: { polls: 1_100 } } })
    let status = 'processing'
    while (status === 'processing') status = JSON.parse((await poll()).text).status
    expect(status).toBe('succeeded')
  })
})

describeHosts('any loop without any wait, in a sandbox on a manual clock,', (open) => {
  it.each(sampleOf(1, ['tasks.create', 'tasks.list', 'files.download', 'tasks.cancel'] as const))(
    'is rejected if it repeats a failed %s, and is found',
    async (operation) => {
      const fault = { when: { operation }, then: 503 } as const
      const { sim, create, request } = await openSandbox(open, { extends: 'instant', faults: [fault] })
      const sends = {
        'tasks.create': () => create(),
        'tasks.list': () => request('/api/v1/tasks'),
        'tasks.cancel': () => request(`/api/v1/tasks/${id}/cancel`, 'POST'),
        'files.download': () => request(file),
      }
      const { id = '' } = operation === 'tasks.create' ? {} : JSON.parse((await create()).text)
      await sim.clock.advance('1s')
      const ended = operation === 'files.download' ? (await request(`/api/v1/tasks/${id}`)).text : ''
      const file = /\/files\/[^"]+/.exec(ended)?.[0] ?? ''
      expect((await repeat(1_000, sends[operation])).status).toBe(503)
      const rejected = await sends[operation]()
      expect(rejected).toMatchObject({
        status: 400,
        text: expect.stringContaining('1000 times without a wait'),
      })
      const [loop] = (await sim.findings({ final: true })).filter(({ id }) => id === 'polls-without-end')
      expect(loop?.evidence[0]?.seen).toMatch(/^1000 requests .+, while the clock stood still/)
    },
  )

  deepTest('is rejected if its task does not exist', async () => {
    const { request } = await openSandbox(open)
    expect((await repeat(1_001, () => request('/api/v1/tasks/task_none'))).status).toBe(400)
  })
})

describeHosts('a simulator of one test', (open) => {
  deepTest('ends the loops of its client', async () => {
    const { get } = await open({ scenario: { faults: [{ when: { operation: 'tasks.list' }, then: 500 }] } })
    for (let time = 0; time < 1_000; time++) await get('/api/v1/tasks')
    expect((await get('/api/v1/tasks')).status).toBe(400)
  })

  deepTest('answers equal orders that succeed', async () => {
    const { post } = await open({ scenario: 'instant' })
    for (let time = 0; time < 1_001; time++) await post('/api/v1/tasks', IMAGE)
    expect((await post('/api/v1/tasks', IMAGE)).body).toMatchObject({ status: 'processing' })
  })
})
