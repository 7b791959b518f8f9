import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { type Client, describeHosts, IMAGE } from './hosts.js'

/** What the journal says about the last request. */
async function lastDecision({ get }: Client) {
  const { body } = await get('/_sim/journal?type=request&limit=1')
  return body.data[0].decided_by
}

describeHosts('the journal says why a task is not found, while the answer', (open) => {
  it('does not say that the task has another key', async () => {
    const client = await open()
    const own = (await client.post('/api/v1/tasks', IMAGE)).body.id
    await client.send(`/api/v1/tasks/${own}`, { headers: { authorization: 'Bearer sk_live_of_somebody' } })
    expect(await lastDecision(client)).toMatchObject({
      name: 'other_key',
      reason: expect.stringContaining('belongs to the API key sk_...ocal; this request has sk_...body'),
    })
  })

  it('is the same for a task that was evicted, deleted or never created', async () => {
    const client = await open({ keepTasks: 1, scenario: { defaults: { delay: '1s' } } })
    await client.get('/api/v1/tasks/task_none')
    expect(await lastDecision(client)).toMatchObject({
      name: 'unknown_task',
      reason: expect.stringContaining('since the start or the last reset'),
    })
    const evicted = (await client.post('/api/v1/tasks', IMAGE)).body.id
    await client.sim.clock.advance('2s')
    await client.post('/api/v1/tasks', IMAGE)
    await client.sim.clock.advance('2s')
    await client.get(`/api/v1/tasks/${evicted}`)
    expect(await lastDecision(client)).toMatchObject({
      name: 'evicted',
      reason: expect.stringContaining('keepTasks'),
    })
    const sandbox = (await client.post('/_sim/sandboxes')).body
    const inside = await client.send('/api/v1/tasks', {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(IMAGE),
    })
    await client.get(`/api/v1/tasks/${(await inside.json()).id}`)
    expect(await lastDecision(client)).toMatchObject({
      reason: expect.stringContaining(`in the sandbox ${sandbox.id}`),
    })
  })

  it('of an expired URL does not say since when', async () => {
    const client = await open({ scenario: { defaults: { delay: '1s' }, outputs: { lifetime: '10m' } } })
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    await client.sim.clock.advance('1s')
    const url = new URL((await client.get(`/api/v1/tasks/${id}`)).body.output.images[0])
    await client.sim.clock.advance('41m')
    expect((await client.get(url.pathname + url.search)).status).toBe(403)
    expect(await lastDecision(client)).toMatchObject({
      what: 'signed_url',
      name: 'expired',
      reason: expect.stringMatching(/^This URL expired 31m before the request, at /),
    })
  })
})

it('the journal says that a task has another format, and the answer does not', async () => {
  const sim = createSimulator({ clock: 'manual' })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const { origin } = new URL(baseUrl)
  const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
  const created = await fetch(`${origin}/replicate/v1/predictions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ version: 'acme/image-1', input: { prompt: 'a pier' } }),
  })
  const answer = await fetch(`${origin}/api/v1/tasks/${(await created.json()).id}`, { headers })
  expect(answer.status).toBe(404)
  expect(await answer.text()).not.toContain('replicate')
  const entries = await (await fetch(`${origin}/_sim/journal?type=request&limit=1`)).json()
  expect(entries.data[0].decided_by).toMatchObject({
    what: 'not_found',
    name: 'other_format',
    reason: expect.stringContaining('format of replicate; this request has that of tasks'),
  })
})
