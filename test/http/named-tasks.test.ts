import { expect, it } from 'vitest'
import { type Client, describeHosts, IMAGE } from './hosts.js'

const OTHER = { authorization: 'Bearer sk_live_of_another' }

describeHosts('the task of a rejected request', (open) => {
  it('is in the journal if a fault replaced each poll, and its finding links to it', async () => {
    const client = await open({
      scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
    })
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    for (let poll = 0; poll < 2; poll++) {
      expect((await client.get(`/api/v1/tasks/${id}`)).status).toBe(503)
      await client.sim.clock.advance('1s')
    }
    expect(await statuses(client, id)).toEqual([200, 503, 503])
    await client.sim.clock.advance('1h')
    const { body } = await client.get('/_sim/findings?final=true')
    expect(body.findings).toMatchObject([
      {
        id: 'gives-up-after-failed-poll',
        evidence: [{ task_id: id, request_ids: [expect.any(String), expect.any(String)] }],
      },
    ])
  })

  it('is in the journal if a rate limit, a missing key, a bad key, a directive or the method was the reason', async () => {
    const client = await open({
      scenario: {
        auth: { keys: ['sk_live_local'] },
        rate_limits: [{ operation: 'tasks.retrieve', requests: 1, per: '1h' }],
      },
    })
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    const path = `/api/v1/tasks/${id}`
    const authorization = 'Bearer sk_live_local'
    await client.send(path, { headers: { authorization, 'x-sim': 'nonsense' } })
    await client.get(path)
    await client.send(path)
    await client.send(path, { headers: OTHER })
    await client.send(path, { method: 'DELETE', headers: { authorization } })
    await client.send(`${path}/cancel`, { method: 'POST' })
    await client.send(`/v1/task/${id}/`)
    await client.send(`/files/${id}/0.png`)
    expect(await statuses(client, id)).toEqual([200, 400, 429, 401, 401, 405, 401, 401, 404])
  })

  it('is in the journal if it belongs to another key, while the caller learns nothing about it', async () => {
    const client = await open()
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    await client.get(`/api/v1/tasks/${id}`)
    const answers: unknown[] = []
    for (const name of [id, 'task_000000000000000000000000'])
      for (const directive of ['', 'fault=stale', 'fault=empty']) {
        const headers = { ...OTHER, ...(directive && { 'x-sim': directive }) }
        const response = await client.send(`/api/v1/tasks/${name}`, { headers })
        const text = await response.text()
        answers.push([response.status, text.replaceAll(name, 'ID').replace(/req_\w+/, 'REQUEST')])
      }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3))
    expect(await statuses(client, id)).toEqual([200, 200, 404, 404, 404])
  })
})

/** Returns the statuses of the requests in the journal for a task, oldest first. */
async function statuses(client: Client, id: string): Promise<number[]> {
  const { body } = await client.get(`/_sim/journal?type=request&task=${id}`)
  return body.data.map(({ status }: { status: number }) => status).reverse()
}
