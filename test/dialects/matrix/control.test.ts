import { expect, it } from 'vitest'
import { describePairs } from './describe-pairs.js'

describePairs('the control API', (open) => {
  it.each(['3s', '10s'] as const)(
    'gives the answer to a poll after %s, which counts as no poll',
    async (after) => {
      const client = await open({ faults: [{ when: { operation: 'tasks.retrieve' }, then: ['pass', 503] }] })
      const id = client.idIn(await client.create())
      await client.sim.clock.advance(after)
      const { newest } = client.sim.journal
      const shown = await client.control.tasks.answer(id)
      expect(await client.control.tasks.answer(id)).toEqual(shown)
      expect(client.sim.journal.newest).toBe(newest)
      const polled = await client.poll(id)
      expect([shown.status, shown.body]).toEqual([polled.status, polled.text])
      expect(polled.headers).toMatchObject(shown.headers)
    },
  )

  it('gives a request that creates an identical task', async () => {
    const client = await open()
    const { sim, control } = client
    const id = client.idIn(await client.create())
    const copy = client.idIn(await client.send(await control.tasks.request(id)))
    expect(copy).not.toBe(id)
    const [first, second] = await Promise.all([id, copy].map((each) => sim.tasks.get(each)))
    for (const field of ['model', 'kind', 'input', 'extra', 'owner', 'origin'] as const)
      expect(second?.[field], field).toEqual(first?.[field])
  })

  it('gives an example of a request that creates a task', async () => {
    const { sim, control, dialect, send, origin } = await open()
    const found = (await control.dialects.list()).find(({ name }) => name === dialect.name)
    const example = found?.example ?? { method: '', url: '', headers: {} }
    // In process, a dialect without hosts has no address.
    const url = example.url.startsWith('/') ? origin + example.url : example.url
    expect(await send({ ...example, url })).toMatchObject({
      status: expect.toSatisfy((status) => status < 300),
    })
    expect(sim.counters.created).toBe(1)
  })
})
