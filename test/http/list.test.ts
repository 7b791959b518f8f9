import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { type Client, describeHosts, IMAGE, VIDEO } from './hosts.js'

async function create(client: Client, count: number, body: object = IMAGE): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push((await client.post('/api/v1/tasks', body)).body.id)
  return ids
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describeHosts('the list of tasks', (open) => {
  it('is read page by page, newest first, with a cursor', async () => {
    const client = await open()
    const ids = (await create(client, 5)).reverse()
    const first = await client.get('/api/v1/tasks?limit=2')
    expect(first.body).toMatchObject({ has_more: true, next_cursor: ids[1] })
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
    const second = await client.get(`/api/v1/tasks?limit=2&after=${ids[1]}`)
    expect(idsOf(second.body)).toEqual(ids.slice(2, 4))
    const last = await client.get(`/api/v1/tasks?limit=2&after=${ids[3]}`)
    expect(last.body).toMatchObject({ has_more: false, next_cursor: null })
    expect(idsOf(last.body)).toEqual(ids.slice(4))
  })

  it('has 20 tasks per page by default, and at most 100', async () => {
    const client = await open()
    await create(client, 21)
    expect((await client.get('/api/v1/tasks')).body.data).toHaveLength(20)
    expect((await client.get('/api/v1/tasks?limit=100')).body.data).toHaveLength(21)
  })

  deepTest.each(['/api/v1/tasks', '/_sim/tasks'])(
    'ends a page of %s early if the tasks are large',
    async (path) => {
      const client = await open()
      const large = (prompt: string) => ({ ...IMAGE, input: { prompt: prompt.repeat(3_000_000) } })
      const ids: string[] = []
      for (const prompt of ['a', 'b', 'c']) ids.unshift(...(await create(client, 1, large(prompt))))
      const first = await client.get(`${path}?limit=3`)
      expect(first.body).toMatchObject({ has_more: true, next_cursor: ids[1] })
      expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
      const last = await client.get(`${path}?limit=3&after=${ids[1]}`)
      expect(last.body).toMatchObject({ has_more: false, next_cursor: null })
      expect(idsOf(last.body)).toEqual(ids.slice(2))
    },
  )

  it('is filtered by status and by model', async () => {
    const client = await open()
    const [image] = await create(client, 1)
    const [video] = await create(client, 1, VIDEO)
    await client.sim.clock.advance('3s')
    expect(idsOf((await client.get('/api/v1/tasks?status=succeeded')).body)).toEqual([image])
    expect(idsOf((await client.get('/api/v1/tasks?status=processing')).body)).toEqual([video])
    expect(idsOf((await client.get('/api/v1/tasks?model=acme%2Fvideo-1')).body)).toEqual([video])
    expect(idsOf((await client.get('/api/v1/tasks?model=none')).body)).toEqual([])
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=-1'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit=ten'],
    ['status', 'status=success'],
    ['after', 'after=task_000000000000000000000000'],
  ])('rejects a bad %s and names it (%s)', async (param, query) => {
    const { get } = await open()
    const { status, body } = await get(`/api/v1/tasks?${query}`)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', param, request_id: 'req_00000001' })
    expect(body.error.message).toContain(query.split('=')[1])
  })

  it("rejects another key's task as a cursor", async () => {
    const client = await open()
    const [id] = await create(client, 1)
    const response = await client.send(`/api/v1/tasks?after=${id}`, {
      headers: { authorization: 'Bearer sk_other' },
    })
    expect(response.status).toBe(400)
  })
})
