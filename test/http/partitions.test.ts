import { expect, it } from 'vitest'
import { createSimulator } from '../../src/index.js'
import { describeHosts, IMAGE, read } from './hosts.js'

const PARTITION = { partition: 'eu-1', scenario: 'instant' } as const

describeHosts('a server with a partition', (open) => {
  it('names it in the ids of requests and deliveries', async () => {
    const ids: unknown[] = []
    const receive = () => new Response(null)
    const { sim, post } = await open({ ...PARTITION, receivers: [receive] })
    sim.on('delivery.attempted', ({ id }) => ids.push(id))
    const { headers } = await post('/v1/tasks', IMAGE)
    await sim.clock.advance('1m')
    expect([headers.get('x-request-id'), ids]).toEqual(['req_eu-1_00000001', ['dlv_eu-1_00000001']])
  })

  it('names it in the ids, keys and URLs of sandboxes, which accept them', async () => {
    const { sim, send, origin } = await open(PARTITION)
    const { identity, sim: inside } = sim.createSandbox({ name: 'one' })
    expect(identity).toMatchObject({
      id: 'sb_eu-1_1',
      key: expect.stringMatching(/^sk_sandbox_eu-1_\w{16}$/),
    })
    const headers = { authorization: `Bearer ${identity.key}.alice`, 'content-type': 'application/json' }
    const created = await read(
      await send('/v1/tasks', { method: 'POST', headers, body: JSON.stringify(IMAGE) }),
    )
    await inside.clock.advance('1m')
    const { body } = await read(await send(`/v1/tasks/${created.body.id}`, { headers }))
    const [url = ''] = body.output.images as string[]
    expect(url).toMatch(/\/files\/sb_eu-1_1\/task_\w+\/0\.png\?.*&partition=eu-1$/)
    expect((await send(url.slice(origin.length))).status).toBe(200)
    expect((await read(await send('/_sim/sandboxes/sb_eu-1_1/state'))).body).toMatchObject({
      partition: 'eu-1',
    })
  })

  it('draws other ids and keys than a server with the same seed, but the same each time', () => {
    const keyIn = (partition?: string) => {
      const { key } = createSimulator({ ...(partition && { partition }) }).createSandbox({
        name: 'one',
      }).identity
      return key.slice(key.lastIndexOf('_'))
    }
    expect(keyIn('a')).toBe(keyIn('a'))
    expect(new Set([keyIn(), keyIn('a'), keyIn('b')]).size).toBe(3)
  })

  it('gives uploads other ids, and names the partition in their URLs', async () => {
    const file = { owner: 'key', name: 'a.txt', contentType: 'text/plain', bytes: new Uint8Array(1) }
    const uploadedIn = async (partition: string) => {
      const { sim, origin, send } = await open({ partition })
      const uploads = await sim.uploads()
      const upload = await uploads.add(file)
      const path = uploads.urls.of(upload, origin).slice(origin.length)
      expect([path.slice(path.lastIndexOf('&')), (await send(path)).status]).toEqual([
        `&partition=${partition}`,
        200,
      ])
      return upload.id
    }
    expect(await uploadedIn('a')).not.toBe(await uploadedIn('b'))
  })

  it.each([
    ['/files/task_000000000000000000000000/0.png?expires=1&signature=x&partition=b'],
    ['/files/uploads/000000000000000000000000/a.txt?expires=1&signature=x&partition=b'],
    ['/_sim/sandboxes/sb_b_1/state'],
    ['/v1/tasks', 'sk_sandbox_b_iymqYnDZ7dHgvUf6'],
  ])('names its partition if there is nothing at %s', async (path, key?: string) => {
    const { send } = await open({ partition: 'a' })
    const answer = await read(
      await send(path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
    )
    expect(answer.body.error.message).toContain(' This server is the partition a.')
  })
})

it.each(['', 'a b', 'a_b', 'ä', 'x'.repeat(33), 7])('the simulator rejects the partition %j', (partition) => {
  expect(() => createSimulator({ partition: partition as string })).toThrow(
    'Expected `partition` to be 1 to 32 letters, digits or hyphens, such as `eu-1`, got',
  )
})
