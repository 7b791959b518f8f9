import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { type Client, describeHosts, IMAGE } from './hosts.js'

const QUICK: ScenarioInput = { defaults: { delay: '1s', price: { per_task: 0.25 } } }

/** Creates tasks that end one after the other, and advances until they end. */
async function live(client: Client, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    ids.push((await client.post('/api/v1/tasks', { ...IMAGE, input: { prompt: `waves ${made}` } })).body.id)
    await client.sim.clock.advance('1s')
  }
  return ids
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describeHosts('a task beyond the number of kept tasks', (open) => {
  it('is not found by any request, and the error explains why', async () => {
    const client = await open({ scenario: QUICK, keepTasks: 2 })
    const [gone = ''] = await live(client, 1)
    const { output } = (await client.get(`/api/v1/tasks/${gone}`)).body
    const file = new URL(output.images[0])
    await live(client, 3)
    const answers = [
      await client.get(`/api/v1/tasks/${gone}`),
      await client.post(`/api/v1/tasks/${gone}/cancel`),
      await client.get(`/_sim/tasks/${gone}`),
      await client.get(file.pathname + file.search),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body.error.message).toMatch(/The last 2 tasks that have ended are kept.*keepTasks/)
    }
  })

  it('is not in the lists, and is not a valid cursor', async () => {
    const client = await open({ scenario: QUICK, keepTasks: 2 })
    const [first, second, third] = await live(client, 3)
    const page = await client.get('/api/v1/tasks?limit=1')
    expect(page.body).toMatchObject({ data: [{ id: third }], next_cursor: third, has_more: true })
    expect(idsOf((await client.get(`/api/v1/tasks?after=${third}`)).body)).toEqual([second])
    expect(idsOf((await client.get('/_sim/tasks')).body)).toEqual([third, second])
    for (const list of ['/api/v1/tasks', '/_sim/tasks']) {
      const { status, body } = await client.get(`${list}?after=${first}`)
      expect(status).toBe(400)
      expect(JSON.stringify(body)).toContain('--keep-tasks')
    }
  })

  it('is still counted and billed', async () => {
    const client = await open({ scenario: { ...QUICK, auth: { credits: 1 } }, keepTasks: 1 })
    await live(client, 4)
    const { body: state } = await client.get('/_sim/state')
    expect(state).toMatchObject({ tasks: { succeeded: 4, processing: 0 }, spent_usd: 1 })
    const metrics = await (await client.send('/_sim/metrics')).text()
    expect(metrics).toContain('tasksim_tasks{status="succeeded"} 4\n')
    expect(metrics).toContain('tasksim_spent_usd_total 1\n')
    expect((await client.post('/api/v1/tasks', IMAGE)).status).toBe(402)
  })

  it('is never an unfinished task', async () => {
    const rules = [{ when: { input: { prompt: 'for ever' } }, then: { outcome: 'stuck' as const } }]
    const client = await open({ scenario: { ...QUICK, rules }, keepTasks: 1 })
    const { id } = (await client.post('/api/v1/tasks', { ...IMAGE, input: { prompt: 'for ever' } })).body
    const [, last] = await live(client, 2)
    expect((await client.get(`/api/v1/tasks/${id}`)).body.status).toBe('processing')
    expect(idsOf((await client.get('/api/v1/tasks')).body)).toEqual([last, id])
  })

  it('is kept until its webhook is finished', async () => {
    const statuses = [503, 200]
    const client = await open({
      scenario: { ...QUICK, webhooks: { retries: ['1m'] } },
      keepTasks: 1,
      receivers: [() => new Response(null, { status: statuses.shift() ?? 200 })],
    })
    const [retained, ...others] = await live(client, 3)
    expect(idsOf((await client.get('/api/v1/tasks')).body)).toEqual([others[1], retained])
    await client.sim.clock.advance('1m')
    expect(idsOf((await client.get('/api/v1/tasks')).body)).toEqual([others[1]])
    expect((await client.get(`/api/v1/tasks/${retained}`)).status).toBe(404)
  })

  it('does not affect repeats: the same request creates another task', async () => {
    const client = await open({ scenario: QUICK, keepTasks: 1 })
    const ids = [...(await live(client, 2)), ...(await live(client, 2))]
    expect(new Set(ids).size).toBe(4)
  })

  it('is not mentioned in errors before any task is forgotten', async () => {
    const client = await open({ scenario: QUICK, keepTasks: 1 })
    await live(client, 1)
    expect((await client.get('/api/v1/tasks/task_1')).body.error.message).not.toContain('keepTasks')
  })

  it('returns under its id after a reset', async () => {
    const client = await open({ scenario: QUICK, keepTasks: 1 })
    const ids = await live(client, 2)
    await client.sim.reset()
    expect(await live(client, 2)).toEqual(ids)
  })
})
