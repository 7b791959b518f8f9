import { expect, it } from 'vitest'
import { type Client, describeHosts, IMAGE, VIDEO } from './hosts.js'

const idOf = async ({ post }: Client, body: object = IMAGE) => (await post('/api/v1/tasks', body)).body.id

async function statuses({ get }: Client, ids: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const id of ids) all.push((await get(`/api/v1/tasks/${id}`)).body.status)
  return all
}

describeHosts('a capacity', (open) => {
  it('makes tasks wait and start in the order of their arrival', async () => {
    const client = await open({ scenario: { extends: 'default', capacity: { running: 1 } } })
    const ids = [await idOf(client), await idOf(client), await idOf(client)]
    expect(await statuses(client, ids)).toEqual(['processing', 'queued', 'queued'])
    await client.sim.clock.advance('2s')
    expect(await statuses(client, ids)).toEqual(['succeeded', 'processing', 'queued'])
    await client.sim.clock.advance('1h')
    const completed: string[] = []
    for (const id of ids)
      completed.push((await client.get(`/api/v1/tasks/${id}`)).body.completed_at.slice(17, 19))
    expect(completed).toEqual(['02', '04', '06'])
  })

  it('gives the place of a canceled task to the next one, and allows a queued one to be canceled', async () => {
    const client = await open({ scenario: { extends: 'stuck', capacity: { running: 1 } } })
    const ids = [await idOf(client), await idOf(client), await idOf(client)]
    const cancel = (index: number) => client.post(`/api/v1/tasks/${ids[index]}/cancel`)
    expect((await cancel(1)).body).toMatchObject({ status: 'canceled', cost_usd: 0 })
    expect(await statuses(client, ids)).toEqual(['processing', 'canceled', 'queued'])
    await cancel(0)
    expect(await statuses(client, ids)).toEqual(['canceled', 'canceled', 'processing'])
    await cancel(2)
    expect(await statuses(client, [await idOf(client), await idOf(client)])).toEqual(['processing', 'queued'])
  })

  it('applies separately to each kind, model or key', async () => {
    const capacity = {
      kinds: { video: { running: 1 } },
      models: { 'acme/*': { running: 2 } },
      keys: { '*': { running: 3 } },
    }
    const client = await open({ scenario: { extends: 'stuck', capacity } })
    const bodies = [VIDEO, VIDEO, IMAGE, IMAGE, IMAGE, { ...IMAGE, model: 'other/image-1' }]
    const ids: string[] = []
    for (const body of bodies) ids.push(await idOf(client, body))
    expect(await statuses(client, ids)).toEqual([
      'processing',
      'queued',
      'processing',
      'processing',
      'queued',
      'queued',
    ])
  })

  it('rejects tasks when the queue is full', async () => {
    const capacity = { running: 1, queued: 1, overflow: { retry_after: '1500ms' } } as const
    const client = await open({ scenario: { extends: 'default', capacity } })
    await idOf(client)
    await idOf(client)
    const refused = await client.post('/api/v1/tasks', IMAGE)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(refused.headers.get('retry-after')).toBe('2')
    expect((await client.get('/api/v1/tasks?status=queued')).body.data).toHaveLength(1)
    await client.sim.clock.advance('2s')
    expect((await client.post('/api/v1/tasks', IMAGE)).body.status).toBe('queued')
  })

  it('rejects with 503, and hides the queue, if the scenario says so', async () => {
    const capacity = { running: 1, queued: 1, overflow: { status: 503 } } as const
    const { post, get } = await open({ scenario: { capacity, api: { hide_queue: true } } })
    await post('/api/v1/tasks', IMAGE)
    const { body } = await post('/api/v1/tasks', IMAGE)
    expect(body.status).toBe('processing')
    expect((await get(`/api/v1/tasks/${body.id}`)).body.status).toBe('queued')
    expect(await post('/api/v1/tasks', IMAGE)).toMatchObject({
      status: 503,
      body: { error: { code: 'unavailable' } },
    })
  })

  it('can be raised while tasks wait', async () => {
    const client = await open({ scenario: { extends: 'stuck', capacity: { running: 1 } } })
    const ids = [await idOf(client), await idOf(client), await idOf(client)]
    const { scenario } = client.sim
    client.sim.useScenario({ ...scenario, capacity: { ...scenario.capacity, running: 2 } })
    expect(await statuses(client, ids)).toEqual(['processing', 'processing', 'queued'])
  })
})

describeHosts('a task that ends at a poll', (open) => {
  it('has ended at its n-th poll, without any delay', async () => {
    const client = await open({ scenario: { defaults: { delay: { polls: 3 } } } })
    const id = await idOf(client)
    expect(await statuses(client, [id, id, id, id])).toEqual([
      'processing',
      'processing',
      'succeeded',
      'succeeded',
    ])
  })
})
