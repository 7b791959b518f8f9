import { expect, test } from 'vitest'
import type { ScenarioInput } from '../../../src/index.js'
import type { Habits } from '../../support/habits.js'
import { json } from '../../support/json.js'
import { RobustClient } from '../../support/robust-client.js'
import { create } from '../../support/simulations.js'
import { found, foundByProxy, HOOK, type Stage, stage } from './stage.js'

const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const KEY = { authorization: 'Bearer sk_live_local' }

interface Innocent {
  readonly scenario?: ScenarioInput
  readonly habits?: Partial<Habits>
  run(on: Stage): Promise<unknown>
}

const other = ({ around }: Stage, key: string, habits: Partial<Habits> = {}) =>
  new RobustClient(around, { ...habits, key })

/** Creates a task, and polls it once when it has ended, without a look at its status. */
async function pollOnce(client: RobustClient, around: Stage['around']) {
  const { id } = await client.create(IMAGE)
  await around.sleep(10_000)
  return json(await around.send(`/api/v1/tasks/${id}`, { headers: KEY }))
}

const INNOCENT: Readonly<Record<string, Innocent>> = {
  'orders the same as another key whose answer was lost': {
    scenario: { faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: 'lost' }] },
    async run(on) {
      await other(on, 'sk_live_one_one_one').generate(IMAGE)
      await on.client.generate(IMAGE)
    },
  },
  'retries a create request that was not carried out': {
    scenario: { faults: [{ when: { operation: 'tasks.create' }, then: [503, 'reset'] }] },
    habits: { looksBeforeRetry: false },
    run: ({ client }) => client.generate(IMAGE),
  },
  'uses one form of the path, and another key another form': {
    habits: { path: '/v1/task' },
    async run(on) {
      await on.client.generate(IMAGE)
      await other(on, 'sk_live_two_two_two', { path: '/v1/tasks' }).generate(IMAGE)
    },
  },
  'sends more orders at once than a rate limit allows, and waits as told': {
    scenario: { extends: 'rate-limited' },
    run: ({ client }) =>
      Promise.all(
        Array.from({ length: 13 }, (_, variant) =>
          client.generate({ ...IMAGE, input: { prompt: 'a lighthouse', variant } }),
        ),
      ),
  },
  'orders a video with the URL of an image': {
    async run({ client }) {
      const { output } = await client.wait(await client.create(IMAGE))
      const images = (output?.['images'] ?? []) as string[]
      const [start = ''] = images
      const frames = [{ position: 'first', from: { uri: start.replace(/\?.*/, '') } }]
      await client.generate({ model: 'acme/video-1', input: { prompt: 'waves', frames } })
    },
  },
  'orders a video with the id of an image': {
    async run({ client }) {
      const { id } = await client.wait(await client.create(IMAGE))
      await client.generate({ model: 'acme/video-1', input: { prompt: 'waves', source: { id } } })
    },
  },
  'downloads one of two images, and orders a video with the other': {
    async run({ client }) {
      const order = { ...IMAGE, input: { prompt: 'a lighthouse', num_images: 2 } }
      const task = await client.wait(await client.create(order))
      const [first, second] = (task.output?.['images'] ?? []) as string[]
      await client.download({ ...task, output: { images: [first] } })
      await client.generate({ model: 'acme/video-1', input: { prompt: 'waves', image: second } })
    },
  },
  'downloads a video without the preview that comes with it': {
    scenario: { rules: [{ then: { output: { video: '{{file}}', preview: '{{file}}' } } }] },
    async run({ client }) {
      const { output, ...task } = await client.wait(await client.create(IMAGE))
      await client.download({ ...task, output: { images: [output?.['video']] } })
    },
  },
  'orders the same twice on purpose': {
    run: ({ client }) => Promise.all([client.generate(IMAGE), client.generate(IMAGE)]),
  },
  'waits as the file host tells it, in two parts that show the same file': {
    scenario: {
      faults: [
        { when: { operation: 'files.download' }, then: Array(3).fill({ status: 503, retry_after: '10s' }) },
      ],
    },
    async run({ client, around }) {
      const task = await client.wait(await client.create(IMAGE))
      await Promise.all([client.download(task), around.sleep(3_000).then(() => client.download(task))])
    },
  },
  'asks for a fresh URL when a file is forbidden, and downloads it again': {
    scenario: { faults: [{ when: { operation: 'files.download' }, then: [403] }] },
    run: ({ client }) => client.generate(IMAGE),
  },
  'downloads twice at the same time': {
    async run({ client }) {
      const task = await client.wait(await client.create(IMAGE))
      await Promise.all([client.download(task), client.download(task)])
    },
  },
  'asks for the head of a file, and for its parts': {
    async run({ client, around }) {
      const task = await client.generate(IMAGE)
      const [url = ''] = (task.output?.['images'] ?? []) as string[]
      const { pathname, search } = new URL(url)
      for (let part = 0; part < 10; part++) {
        await around.send(pathname + search, { method: 'HEAD' })
        await around.send(pathname + search, { headers: { range: `bytes=${part}00-${part}99` } })
      }
    },
  },
  'comes back a day later for a fresh URL': {
    async run({ client, around }) {
      const task = await client.generate(IMAGE)
      await around.sleep(2 * 86_400_000)
      await client.download(task)
    },
  },
  'looks at a finished task whenever somebody opens its page': {
    async run({ client, around }) {
      const { id } = await client.generate(IMAGE)
      for (let visit = 0; visit < 10; visit++) {
        await around.sleep(5 * 60_000)
        await around.send(`/api/v1/tasks/${id}`, { headers: KEY })
      }
    },
  },
  'gives a task up after many failures': {
    scenario: {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }],
      rules: [{ then: { outcome: 'stuck' } }],
    },
    habits: { pollTries: 5 },
    run: ({ client }) => client.generate(IMAGE).catch(() => {}),
  },
  'stops at a poll that is refused for good': {
    scenario: {
      auth: { keys: [{ key: 'sk_live_local', revoked: '1500ms' }] },
      rules: [{ then: { outcome: 'stuck' } }],
    },
    run: ({ client }) => client.generate(IMAGE).catch(() => {}),
  },
  'asks whether the service is up before it has a key': {
    async run({ client, around }) {
      await around.send('/api/v1/tasks')
      await client.generate(IMAGE)
    },
  },
  'asks whether the service is up, without the key, after it has used the key': {
    async run({ client, around }) {
      await client.generate(IMAGE)
      await around.send('/api/v1/tasks')
    },
  },
  'did not make the task that the test has made': {
    async run(on) {
      await create(on.sim)
      await on.around.sleep(120_000)
      await on.client.generate(IMAGE)
    },
  },
  'reads the list until it has found what it looks for': {
    habits: { followsCursor: false },
    async run({ client, around }) {
      for (let variant = 0; variant < 3; variant++)
        await client.generate({ ...IMAGE, input: { prompt: 'a lighthouse', variant } })
      const [newest] = await client.list('limit=1')
      await around.sleep(61_000)
      await around.send(`/api/v1/tasks/${newest?.id}`, { headers: KEY })
    },
  },
  'downloads the output of a task that it could not cancel in time': {
    async run({ client, around }) {
      const task = await client.create(IMAGE)
      await around.sleep(60_000)
      await client.cancel(task).catch(() => {})
      await client.download(await client.wait(task))
    },
  },
  'does not ask for a task that had failed before its cancel request': {
    scenario: { rules: [{ then: { outcome: 'failed' } }] },
    async run({ client, around }) {
      const task = await client.create(IMAGE)
      await around.sleep(60_000)
      await client.cancel(task).catch(() => {})
    },
  },
  'takes an unknown word for a success, and downloads the output': {
    scenario: {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { status: 'success' } } }],
    },
    run: async ({ client, around }) => client.download(await pollOnce(client, around)),
  },
  'takes an unknown word for a failure, which it is': {
    scenario: {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { status: 'error' } } }],
      rules: [{ then: { outcome: 'failed' } }],
    },
    run: ({ client, around }) => pollOnce(client, around),
  },
  'continues after a long pause, while the service fails': {
    scenario: { faults: [{ when: { operation: 'tasks.retrieve', nth: { max: 12 } }, then: 503 }] },
    async run({ client, around }) {
      const task = await client.create(IMAGE)
      await around.send(`/api/v1/tasks/${task.id}`, { headers: KEY })
      await around.sleep(5 * 3_600_000)
      await client.download(await client.wait(task))
    },
  },
  'cancels a task with an unknown word': {
    scenario: {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { status: 'on_hold' } } }],
      rules: [{ then: { outcome: 'stuck' } }],
    },
    run: async ({ client, around }) => client.cancel(await pollOnce(client, around)),
  },
  'polls on after an unknown word': {
    scenario: {
      faults: [{ when: { operation: 'tasks.retrieve', nth: 1 }, then: { patch: { status: 'on_hold' } } }],
    },
    async run({ client, around }) {
      const task = await pollOnce(client, around)
      await around.sleep(5_000)
      await client.download(await client.wait(task))
    },
  },
  'cancels a task that still runs': {
    run: ({ client }) => client.create(IMAGE).then((task) => client.cancel(task)),
  },
  'has a receiver that is down, and polls': {
    run: ({ client }) => client.generate({ ...IMAGE, webhook_url: HOOK }),
  },
}

test.each(Object.entries(INNOCENT))(
  'a client that %s has no finding',
  async (_, { scenario = {}, habits, run }) => {
    const down = { url: HOOK, handle: () => new Response(null, { status: 500 }), everyTask: true }
    const on = stage({ scenario: { extends: 'default', ...scenario }, receivers: [down] }, habits)
    await on.live(run(on))
    await on.sim.clock.runUntilIdle()
    expect(await found(on.sim)).toEqual([])
    expect(await on.sim.findings()).toEqual([])
    expect(await foundByProxy(on)).toEqual([])
  },
)
