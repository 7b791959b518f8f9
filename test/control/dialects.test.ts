import { expect, it } from 'vitest'
import { code, describeClients, QUICK } from './describe-clients.js'

describeClients('dialects in the control API', (open) => {
  it('are listed with what their services call the events', async () => {
    const { control, sim } = await open()
    const dialects = await control.dialects.list()
    expect(dialects.map(({ name }) => name)).toEqual(sim.dialects.names)
    const eventsOf = (wanted: string) => dialects.find(({ name }) => name === wanted)?.events
    expect(eventsOf('luma')).toEqual([
      { event: 'task.succeeded', name: 'completed' },
      { event: 'task.failed', name: 'failed' },
      { event: 'task.canceled', name: 'failed' },
      { event: 'task.started', name: 'dreaming' },
    ])
    expect(eventsOf('runway')).toEqual([])
    const signed = dialects.flatMap((dialect) => (dialect.signed ? [dialect.name] : []))
    expect(signed).toEqual(expect.arrayContaining(['tasks', 'replicate', 'openrouter']))
    expect(signed).not.toContain('luma')
  })

  it('show the key of a sandbox, and no key of the scenario', async () => {
    const { control } = await open({ scenario: { auth: { keys: ['sk_live_secret_of_a_user'] } } })
    const showsIn = async (of: typeof control, key: string) => {
      const examples = (await of.dialects.list()).map(({ example }) => Object.values(example.headers))
      return examples.map((values) => values.some((value) => value === key || value.endsWith(` ${key}`)))
    }
    expect(new Set(await showsIn(control, '$API_KEY'))).toEqual(new Set([true]))
    const { id, api_key: key } = await control.sandboxes.create()
    expect(new Set(await showsIn(control.sandboxes.control(id), key))).toEqual(new Set([true]))
    expect(JSON.stringify(await control.dialects.list())).not.toContain('sk_live_secret_of_a_user')
  })
})

describeClients('the answer to a poll in the control API', (open) => {
  it('does not end a task that ends at a poll', async () => {
    const { control, order, get } = await open({ scenario: { defaults: { delay: { polls: 1 } } } })
    const id = await order()
    for (let read = 0; read < 3; read++)
      expect(JSON.parse((await control.tasks.answer(id)).body ?? '')).toMatchObject({ status: 'processing' })
    expect(await get(`/api/v1/tasks/${id}`)).toMatchObject({ status: 'succeeded' })
  })

  it('masks the secrets in a webhook URL, and knows no unknown task', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const url = 'http://127.0.0.1:9/?token=hidden'
    const id = await order({ model: 'acme/image-1', input: {}, webhook_url: url })
    expect((await control.tasks.request(id)).body).toEqual({
      model: 'acme/image-1',
      input: {},
      webhook_url: url.replace('hidden', '***'),
    })
    expect(await code(control.tasks.answer('task_none'))).toBe('404 task_not_found')
    expect(await code(control.tasks.request('task_none'))).toBe('404 task_not_found')
  })
})
