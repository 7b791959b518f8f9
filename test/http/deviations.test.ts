import { expect, it } from 'vitest'
import type { ArmedDeviation } from '../../src/engine/exploration/armed-deviation.js'
import { type Client, describeHosts, IMAGE } from './hosts.js'
import { startRawReceiver } from './raw-receiver.js'

const TASKS = '/api/v1/tasks'
const SCENARIO = { defaults: { delay: '10s' } } as const

/** Creates a task with retries, polls it until its end, and fetches its files. @returns the statuses and states that the client reads */
async function generate(client: Client, body: object = IMAGE): Promise<string[]> {
  const read: string[] = []
  let id: string | undefined
  while (id === undefined) {
    const { status, body: task } = await client.post(TASKS, body).catch(() => ({ status: 0, body: {} }))
    read.push(`create ${status}`)
    if (status === 200) id = task.id
  }
  for (let polls = 0; polls < 5; polls++) {
    const { status, body: task } = await client.get(`${TASKS}/${id}`).catch(() => ({ status: 0, body: {} }))
    read.push(`poll ${status} ${task.status}`)
    if (task.status === 'succeeded' || task.status === 'failed') {
      for (const url of task.output?.images ?? [])
        read.push(`file ${(await client.send(new URL(url).pathname + new URL(url).search)).status}`)
      break
    }
    await client.sim.clock.advance('5s')
  }
  return read
}

describeHosts('a deviation', (open) => {
  it('leaves a run without deviations as it is, and names its places', async () => {
    const client = await open({ scenario: SCENARIO })
    const exploration = await client.sim.explore()
    expect(await generate(client)).toEqual([
      'create 200',
      'poll 200 processing',
      'poll 200 processing',
      'poll 200 succeeded',
      'file 200',
    ])
    expect(exploration.places.map(({ id }) => id)).toEqual([
      'tasks.create#1',
      'task#1',
      'tasks.retrieve#1.processing',
      'tasks.retrieve#1.succeeded',
      'file#1.0',
    ])
  })

  it.each<[Omit<ArmedDeviation, 'id'>, string[], number]>([
    [
      { place: 'tasks.create#1', fault: { status: 503 } },
      [
        'create 503',
        'create 200',
        'poll 200 processing',
        'poll 200 processing',
        'poll 200 succeeded',
        'file 200',
      ],
      1,
    ],
    [
      { place: 'tasks.create#1', fault: { status: 504, executed: true } },
      [
        'create 504',
        'create 200',
        'poll 200 processing',
        'poll 200 processing',
        'poll 200 succeeded',
        'file 200',
      ],
      2,
    ],
    [
      { place: 'tasks.retrieve#1.succeeded', fault: { status: 503 } },
      [
        'create 200',
        'poll 200 processing',
        'poll 200 processing',
        'poll 503 undefined',
        'poll 200 succeeded',
        'file 200',
      ],
      1,
    ],
    [
      { place: 'service@tasks.retrieve#1.processing', fault: { status: 503 }, lasts: 7_000 },
      ['create 200', 'poll 503 undefined', 'poll 503 undefined', 'poll 200 succeeded', 'file 200'],
      1,
    ],
    [
      { place: 'task#1', plan: { outcome: 'failed', error: { code: 'out_of_memory' } } },
      ['create 200', 'poll 200 processing', 'poll 200 processing', 'poll 200 failed'],
      1,
    ],
    [
      { place: 'task#1', plan: { slower: 2 } },
      [
        'create 200',
        ...Array.from({ length: 4 }, () => 'poll 200 processing'),
        'poll 200 succeeded',
        'file 200',
      ],
      1,
    ],
    [
      { place: 'task#1', changes: { status: 'archived' } },
      [
        'create 200',
        'poll 200 processing',
        'poll 200 processing',
        ...Array.from({ length: 3 }, () => 'poll 200 archived'),
      ],
      1,
    ],
    [
      { place: 'task#1', plan: { files: 2 } },
      [
        'create 200',
        'poll 200 processing',
        'poll 200 processing',
        'poll 200 succeeded',
        'file 200',
        'file 200',
      ],
      1,
    ],
    [
      { place: 'file#1.0', fault: { status: 503 } },
      ['create 200', 'poll 200 processing', 'poll 200 processing', 'poll 200 succeeded', 'file 503'],
      1,
    ],
  ])('at its place changes what the client reads: %j', async (deviation, read, tasks) => {
    const client = await open({ scenario: SCENARIO })
    const exploration = await client.sim.explore({ deviations: [{ id: 'one', ...deviation }] })
    expect(await generate(client)).toEqual(read)
    expect([...client.sim.tasks.all()]).toHaveLength(tasks)
    expect([...exploration.applied]).toEqual(['one'])
  })

  it('changes the task in its webhooks as in its answers', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ scenario: SCENARIO })
    const exploration = await client.sim.explore({
      deviations: [{ id: 'one', place: 'task#1', changes: { status: 'archived' } }],
    })
    await generate(client, { ...IMAGE, webhook_url: url })
    expect(JSON.parse(received[0]?.text ?? '')).toMatchObject({ task: { status: 'archived' } })
    expect(exploration.places.map(({ id }) => id)).toContain('webhook:task.succeeded#1')
  })

  it('says in the error that it is the reason', async () => {
    const client = await open()
    const id = 'tasks.create#1:503'
    await client.sim.explore({ deviations: [{ id, place: 'tasks.create#1', fault: { status: 503 } }] })
    const { body } = await client.post(TASKS, IMAGE)
    expect(body.error.message).toBe(`The service answers 503 because of the deviation ${id}.`)
  })

  it('makes fields null that the task has, and adds none', async () => {
    const client = await open({ scenario: SCENARIO })
    const changes = { completed_at: null, color: null, created_at: undefined }
    await client.sim.explore({ deviations: [{ id: 'one', place: 'task#1', changes }] })
    await generate(client)
    const { body } = await client.get(TASKS)
    const [task] = body.data
    expect(task).toMatchObject({ completed_at: null })
    expect(task).not.toHaveProperty('color')
    expect(task).not.toHaveProperty('created_at')
  })

  it('of a webhook applies to the event at its place only', async () => {
    const { url, received } = await startRawReceiver()
    const client = await open({ scenario: SCENARIO })
    await client.sim.explore({
      deviations: [{ id: 'one', place: 'webhook:task.succeeded#2', webhook: { duplicate: 'in_turn' } }],
    })
    await generate(client, { ...IMAGE, webhook_url: url })
    expect(received).toHaveLength(1)
    await generate(client, { ...IMAGE, webhook_url: url })
    expect(received).toHaveLength(3)
  })

  it('redirects a download to its own URL', async () => {
    const client = await open({ scenario: SCENARIO })
    await client.sim.explore({ deviations: [{ id: 'one', place: 'file#1.0', fault: { status: 302 } }] })
    const { body: task } = await client.post(TASKS, IMAGE)
    await client.sim.clock.advance('10s')
    const url = (await client.get(`${TASKS}/${task.id}`)).body.output.images[0]
    const path = url.slice(new URL(url).origin.length)
    const redirected = await client.send(path, { redirect: 'manual' })
    expect(redirected.status).toBe(302)
    expect(new URL(redirected.headers.get('location') ?? '', url).href).toBe(url)
    expect((await client.send(path)).status).toBe(200)
  })

  it('numbers a repeated task after the one that it repeats', async () => {
    const client = await open({ scenario: SCENARIO })
    const orders = await client.sim.explore()
    await generate(client)
    const { sim } = client
    await sim.reset()
    const run = await sim.explore({
      orders: orders.orders,
      deviations: [{ id: 'one', place: 'tasks.create#1', fault: { status: 504, executed: true } }],
    })
    await generate(client)
    expect(run.places.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'tasks.create#1',
        'task#1',
        "tasks.create#1'2",
        "task#1'2",
        "tasks.retrieve#1'2.succeeded",
      ]),
    )
  })
})
