import { expect, it } from 'vitest'
import type { Fault } from '../../src/engine/requests/fault.js'
import { Progress } from '../../src/explore/progress.js'
import { type Client, describeHosts, IMAGE } from '../http/hosts.js'

const TASKS = '/api/v1/tasks'
const START = Date.UTC(2026, 0, 1)
const SCENARIO = { defaults: { delay: '10s' } } as const

const seconds = (progress: Progress) => (progress.last.at - START) / 1_000

describeHosts('progress', (open) => {
  /** A client whose task has been created after a second. */
  async function started(deviation?: {
    place: string
    fault: Fault
  }): Promise<{ client: Client; url: string }> {
    const client = await open({ scenario: SCENARIO })
    await client.sim.explore({ deviations: deviation === undefined ? [] : [{ id: 'one', ...deviation }] })
    await client.sim.clock.advance('1s')
    const { body } = await client.post(TASKS, IMAGE)
    return { client, url: `${TASKS}/${body.id}` }
  }

  it('is a state of a task or a file that the client did not have yet, and no repetition', async () => {
    const { client, url } = await started()
    const progress = new Progress(client.sim)
    expect(seconds(progress)).toBe(1)
    const at: number[] = []
    for (let step = 0; step < 5; step++) {
      await client.sim.clock.advance('3s')
      const { body } = await client.get(url)
      at.push(seconds(progress))
      if (body.status !== 'succeeded') continue
      await client.sim.clock.advance('1s')
      const { pathname, search } = new URL(body.output.images[0])
      await client.send(pathname + search)
      at.push(seconds(progress))
    }
    expect(at).toEqual([4, 4, 4, 13, 14, 14, 14])
    expect(progress.lasted).toBe(13_000)
  })

  it('is no error, no unreadable answer, no empty list, and no list without news', async () => {
    const { client, url } = await started({ place: 'tasks.retrieve#1.processing', fault: { body: 'empty' } })
    const progress = new Progress(client.sim)
    await client.sim.clock.advance('1s')
    await client.send(url, { headers: { authorization: 'Bearer sk_live_local' } })
    await client.get(`${url}0`)
    await client.send(TASKS, { headers: { authorization: 'Bearer sk_other_client' } })
    expect(seconds(progress)).toBe(1)
    await client.get(TASKS)
    expect(seconds(progress)).toBe(2)
    await client.sim.clock.advance('1s')
    await client.get(TASKS)
    expect(seconds(progress)).toBe(2)
  })
})

describeHosts('the progress of a receiver', (open) => {
  it('is its first answer to an event', async () => {
    const statuses: (number | undefined)[] = [undefined, 500, 500, 204]
    const client = await open({
      scenario: SCENARIO,
      transport: async () => {
        const status = statuses.shift()
        if (status === undefined) throw new Error('connection refused')
        return { status }
      },
    })
    const progress = new Progress(client.sim)
    await client.post(TASKS, { ...IMAGE, webhook_url: 'https://example.com/hook' })
    const attempts: number[] = []
    client.sim.on('delivery.attempted', (_, { startedAt }) => attempts.push(startedAt - START))
    await client.sim.clock.runUntilIdle({ limit: '1h' }).catch(() => {})
    expect(attempts).toHaveLength(4)
    expect(progress.last.at - START).toBe(attempts[1])
  })
})
