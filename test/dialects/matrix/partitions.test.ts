import { expect, it } from 'vitest'
import { describePairs, type Open } from './describe-pairs.js'

/** Creates a task on a server of a partition, and polls it after its end. */
async function taskIn(open: Open, partition?: string) {
  const client = await open({}, partition === undefined ? {} : { partition })
  const id = client.idIn(await client.create())
  await client.sim.clock.advance('10s')
  const { text } = await client.poll(id)
  const result = await client.control.tasks.answer(id)
  return { client, id, plan: client.sim.tasks.get(id)?.plan, text: text + result?.body }
}

describePairs('partitions', (open) => {
  it('have other ids, but the same plans of tasks', async () => {
    const alone = await taskIn(open)
    const east = await taskIn(open, 'east')
    const west = await taskIn(open, 'us-west-1')
    expect(new Set([alone.id, east.id, west.id]).size).toBe(3)
    expect([east.plan, west.plan]).toEqual([alone.plan, alone.plan])
  })

  it('are named by the URLs that need no key', async () => {
    const { client, id, text } = await taskIn(open, 'east')
    const again = await taskIn(open, 'east')
    expect(again.id).toBe(id)
    const urls = text.match(/https?:[^"\\]*(?:\/files\/[^"\\]*signature=|\/streams\/)[^"\\]*/g) ?? []
    expect(urls.filter((url) => new URL(url).searchParams.get('partition') !== 'east')).toEqual([])
    const [url] = urls
    if (url !== undefined)
      expect((await client.send({ url, method: 'GET', headers: {}, body: undefined })).status).toBe(200)
  })
})
