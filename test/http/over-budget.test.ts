import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { type Client, describeHosts } from './hosts.js'

const LARGE = 'x'.repeat(200_000)
const SCENARIO = { defaults: { delay: '1s' as const } }

async function create(
  client: Client,
  number: number,
): Promise<{ status: number; id: string; message: string }> {
  const body = { model: 'acme/image-1', input: { prompt: `${number} ${LARGE}` } }
  const answer = await client.post('/api/v1/tasks', body)
  return { status: answer.status, id: answer.body.id, message: answer.body.error?.message }
}

describeHosts('the memory budget', (open) => {
  it('evicts ended tasks, the oldest first, when new ones need memory', async () => {
    const client = await open({ scenario: SCENARIO, keepBytes: '1MB' })
    const ids: string[] = []
    for (let number = 0; number < 8; number++) {
      const { id, status } = await create(client, number)
      expect(status).toBe(200)
      ids.push(id)
      await client.sim.clock.advance('1s')
    }
    const statuses = await Promise.all(
      ids.map(async (id) => (await client.get(`/api/v1/tasks/${id}`)).status),
    )
    const kept = statuses.lastIndexOf(404) + 1
    expect(kept).toBeGreaterThan(2)
    expect(kept).toBeLessThan(7)
    expect(statuses).toEqual(ids.map((_, index) => (index < kept ? 404 : 200)))
    const { memory } = (await client.get('/_sim/state')).body
    expect(memory.used_bytes).toBeLessThanOrEqual(memory.limit_bytes)
  })

  it('rejects a create with 503 over_budget while unfinished tasks use all of it, and then recovers', async () => {
    const client = await open({ scenario: SCENARIO, keepBytes: '1MB' })
    const answers = []
    for (let number = 0; number < 8; number++) answers.push(await create(client, number))
    const rejected = answers.findIndex(({ status }) => status !== 200)
    expect(rejected).toBeGreaterThan(2)
    expect(answers.slice(rejected).map(({ status }) => status)).toEqual(
      answers.slice(rejected).map(() => 503),
    )
    expect(answers[rejected]?.message).toMatch(/The 1 MB that tasksim may keep in memory.*--keep-bytes/)
    const { body: state } = await client.get('/_sim/state')
    expect(state.tasks.processing).toBe(rejected)
    expect(state.memory.holders.live_tasks).toBeGreaterThan(rejected * LARGE.length)
    await client.sim.clock.advance('1s')
    expect((await create(client, 9)).status).toBe(200)
  })

  it('creates the same task after a rejection as without it', async () => {
    const [tight, large] = [
      await open({ scenario: SCENARIO, keepBytes: '1MB' }),
      await open({ scenario: SCENARIO }),
    ]
    const statuses: number[] = []
    for (let number = 0; number < 6; number++) statuses.push((await create(tight, number)).status)
    expect(statuses).toContain(503)
    await tight.sim.clock.advance('1s')
    expect((await create(tight, 5)).id).toBe((await create(large, 5)).id)
  })

  it('evicts no task to send a long answer', async () => {
    const client = await open({ scenario: SCENARIO, keepBytes: '1MB' })
    for (let number = 0; number < 5; number++) {
      await create(client, number)
      await client.sim.clock.advance('1s')
    }
    const list = async () => (await client.get('/api/v1/tasks')).body.data.length
    const first = await list()
    expect(first).toBeGreaterThan(1)
    expect([await list(), await list()]).toEqual([first, first])
  })

  it('rejects a read while other transfers use up their share, and does not record it as shown', async () => {
    const client = await open({ scenario: SCENARIO, keepBytes: '4MB' })
    const { id } = await create(client, 1)
    await client.sim.clock.advance('1s')
    const { transfers } = client.sim.memory
    transfers.add(32 * 1024 * 1024)
    const answer = await client.get(`/api/v1/tasks/${id}`)
    expect([answer.status, answer.body.error.code]).toEqual([503, 'over_budget'])
    transfers.clear()
    const { data } = (await client.get('/_sim/journal?type=request&limit=1')).body
    expect([data[0].status, data[0].shown]).toEqual([503, undefined])
    const seen = client.sim.journal
      .entries()
      .flatMap((entry) => (entry.type === 'request' ? [entry.request] : []))
    expect(seen.at(-1)?.note.observed).toBeUndefined()
    expect((await client.get(`/api/v1/tasks/${id}`)).status).toBe(200)
  })

  it('is unused again after a reset and after a sandbox is deleted', async () => {
    const client = await open({ scenario: SCENARIO, keepBytes: '4MB' })
    const before = client.sim.memory.used
    const { body: sandbox } = await client.post('/_sim/sandboxes')
    const authorization = `Bearer ${sandbox.api_key}`
    const order = JSON.stringify({ model: 'acme/image-1', input: { prompt: LARGE } })
    const headers = { authorization, 'content-type': 'application/json' }
    await client.send('/api/v1/tasks', { method: 'POST', headers, body: order })
    await create(client, 1)
    expect(client.sim.memory.used).toBeGreaterThan(before + 2 * LARGE.length)
    await client.send(`/_sim/sandboxes/${sandbox.id}`, { method: 'DELETE' })
    await client.sim.reset()
    expect(client.sim.memory.usage()).toMatchObject({
      live_tasks: 0,
      ended_tasks: 0,
      sandboxes: 0,
      transfers: 0,
    })
    expect(client.sim.memory.used).toBeLessThan(before + 1_000)
  })

  deepTest('does not keep large inputs in the journal', async () => {
    const client = await open({ scenario: SCENARIO, keepTasks: 1 })
    for (let number = 0; number < 20; number++) {
      await create(client, number)
      await client.sim.clock.advance('1s')
    }
    expect(client.sim.memory.usage().journal).toBeLessThan(LARGE.length)
    const { data } = (await client.get('/_sim/journal?type=task&limit=1')).body
    expect(data[0].prompt).toMatch(/^19 x+$/)
  })
})
