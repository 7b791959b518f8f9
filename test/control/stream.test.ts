import { expect, it } from 'vitest'
import type { Simulator } from '../../src/index.js'
import { deepTest } from '../support/deep.js'
import { create } from '../support/simulations.js'
import { describeClients, QUICK } from './describe-clients.js'
import { openStream } from './event-stream.js'

/** Causes `count` events. */
async function happen(sim: Simulator, count: number): Promise<void> {
  for (let number = 0; number < count; number++)
    await create(sim, { input: { number, at: sim.journal.newest } })
}

describeClients('the live stream', (open) => {
  it('sends every entry as it happens, with the number that it has in the journal', async () => {
    const { control, sim, origin, order } = await open({ scenario: QUICK })
    await order()
    const stream = await openStream(`${origin}/_sim/stream`)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(await stream.piece()).toContain('retry: 1000')
    const id = await order()
    await control.clock.advance('1s')
    const events = await stream.take(3)
    expect(events.map(({ event }) => event)).toEqual(['task', 'request', 'task'])
    expect(events[0]?.data).toMatchObject({ task_id: id, status: 'processing' })
    const { data } = await control.journal.list({ limit: sim.journal.newest - 2 })
    expect([...events, ...(await stream.take(2))].map((event) => event.data)).toEqual([...data].reverse())
  })

  it('sends every entry exactly once to a reader that disconnects and reconnects', async () => {
    const { sim, origin } = await open()
    const seen: number[] = []
    for (let visit = 0; visit < 4; visit++) {
      await happen(sim, 40)
      const resumed = { 'last-event-id': String(seen.at(-1) ?? 0) }
      const stream = await openStream(`${origin}/_sim/stream`, resumed)
      const events = await stream.take(30)
      await happen(sim, 3)
      seen.push(...[...events, ...(await stream.take(4))].map(({ id }) => id))
      stream.leave()
    }
    expect(seen).toEqual(Array.from({ length: 4 * 34 }, (_, index) => index + 1))
  })

  deepTest('resumes as far back as the journal goes', async () => {
    const { sim, origin } = await open()
    await happen(sim, 10_100)
    const stream = await openStream(`${origin}/_sim/stream?after=0`)
    const events = await stream.take(10_000)
    expect([events[0]?.id, events.at(-1)?.id]).toEqual([101, 10_100])
    await happen(sim, 1)
    expect((await stream.take(1))[0]?.id).toBe(10_101)
  })

  it('starts at the beginning for a reader that followed an earlier run of the server', async () => {
    const { sim, origin } = await open()
    await happen(sim, 2)
    const stream = await openStream(`${origin}/_sim/stream`, { 'last-event-id': '5000' })
    expect((await stream.take(2)).map(({ id }) => id)).toEqual([1, 2])
  })

  it('continues after a reset', async () => {
    const { control, sim, origin } = await open()
    const stream = await openStream(`${origin}/_sim/stream`)
    await happen(sim, 2)
    await stream.take(2)
    await control.reset()
    await happen(sim, 1)
    expect((await stream.take(2)).map(({ id, event }) => [id, event])).toEqual([
      [3, 'control'],
      [4, 'task'],
    ])
  })

  it('rejects an invalid position', async () => {
    const { origin } = await open()
    expect((await fetch(`${origin}/_sim/stream?after=x`)).status).toBe(400)
  })

  it('keeps no subscription after a disconnect or a HEAD request', async () => {
    const { sim, origin } = await open()
    for (let reader = 0; reader < 5; reader++) {
      const stream = await openStream(`${origin}/_sim/stream`)
      await stream.piece()
      expect(sim.journal.followers).toBe(1)
      stream.leave()
      await expect.poll(() => sim.journal.followers).toBe(0)
    }
    expect((await fetch(`${origin}/_sim/stream`, { method: 'HEAD' })).status).toBe(200)
    expect(sim.journal.followers).toBe(0)
  })

  it('ends when its sandbox is deleted', async () => {
    const { control, sim, origin } = await open()
    const { id } = await control.sandboxes.create()
    const stream = await openStream(`${origin}/_sim/sandboxes/${id}/stream`)
    await stream.piece()
    const { journal } = sim.sandboxes.get(id)?.sim ?? sim
    await control.sandboxes.delete(id)
    expect(await stream.piece()).toBeUndefined()
    expect(journal.followers).toBe(0)
  })
})
