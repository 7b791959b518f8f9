import { expect, it } from 'vitest'
import { factsOf } from '../../src/explore/facts.js'
import { planRuns } from '../../src/explore/plan.js'
import type { RunFacts } from '../../src/explore/run.js'
import { createSimulator, type SimulatorOptions } from '../../src/index.js'
import { IMAGE } from '../http/hosts.js'
import { HOOK } from '../inspect/findings/stage.js'
import type { Habits } from '../support/habits.js'
import { create } from '../support/simulations.js'
import { type Flow, StagedDriver } from './staged-driver.js'

const generate: Flow = ({ client }) => client.generate(IMAGE)
const receive: Flow = ({ app }) => app.generate({ ...IMAGE, webhook_url: HOOK })

/** The facts of a run, with the deviation that an id of a run names. */
async function factsWith(
  flow: Flow,
  id?: string,
  given: { habits?: Partial<Habits>; options?: SimulatorOptions } = {},
): Promise<RunFacts> {
  const driver = new StagedDriver(flow, given)
  const order = { id: 'baseline', deviations: [], orders: undefined, ignoresInput: false, patience: 1 }
  const { facts } = await driver.run(order)
  if (id === undefined) return facts
  const [planned] = planRuns(facts.places, { only: [id] })
  return (await driver.run({ ...order, ...planned, orders: facts.orders })).facts
}

it('the facts of a run say what the client has learned and downloaded, and when', async () => {
  const facts = await factsWith(generate)
  expect(facts).toMatchObject({ requests: 12, acceptedForgeries: 0, applied: [], lasted: 10_000 })
  expect(facts.tasks).toMatchObject([
    { number: '1', status: 'succeeded', isKnown: true, isLearned: true, files: [0], available: 1 },
  ])
  const [{ id } = { id: '' }] = facts.tasks
  expect(facts.timeline.map(({ at, text, place }) => [at, text.replaceAll(id, 'ID'), place])).toEqual([
    [0, 'POST /api/v1/tasks -> 200 processing (ID)', 'tasks.create#1'],
    [1_000, 'GET /api/v1/tasks/ID -> 200 processing (9 times in 8 s)', 'tasks.retrieve#1.processing'],
    [10_000, 'GET /api/v1/tasks/ID -> 200 succeeded', 'tasks.retrieve#1.succeeded'],
    [10_000, 'GET /files/ID/0.png -> 200', 'file#1.0'],
  ])
})

it('a line for several polls says when the last of them was sent', async () => {
  const { timeline } = await factsWith(generate)
  expect(timeline[1]).toMatchObject({ at: 1_000, until: 9_000 })
})

it.each<[string, string, Flow, Partial<Habits>, object[]]>([
  [
    'whose create answer is lost is not known, although it can be found',
    'tasks.create#1:lost',
    generate,
    { looksBeforeRetry: false },
    [
      { number: '1', isKnown: false, waysToFind: ['list', 'possible_webhook'], isLearned: false },
      { number: "1'2", isKnown: true, isLearned: true },
    ],
  ],
  [
    'that a list shows is known',
    'tasks.create#1:lost',
    generate,
    {},
    [{ isKnown: true, isLearned: true, files: [0] }],
  ],
  [
    'about which a poll is rejected for good is given up',
    'tasks.retrieve#1.processing:404',
    generate,
    {},
    [{ isGivenUp: true, isLearned: false }],
  ],
  [
    'about which a poll fails for now is not given up',
    'tasks.retrieve#1.processing:503',
    generate,
    { pollTries: 1 },
    [{ isGivenUp: false, isLearned: false, isKnown: true }],
  ],
  [
    'without an output is shown, but not learned',
    'task#1:no_output',
    generate,
    {},
    [{ isShown: true, isLearned: false, isGivenUp: true, files: [] }],
  ],
  [
    'without an output is not learned by its webhook, either',
    'task#1:no_output',
    receive,
    {},
    [{ isShown: true, isLearned: false }],
  ],
  ['is learned by its webhook', 'webhook:task.succeeded#1:duplicate', receive, {}, [{ isLearned: true }]],
  ['that fails is known to fail', 'task#1:failed', generate, {}, [{ isKnownToFail: true, cost: 0 }]],
  [
    'whose download breaks off has no whole file',
    'file#1.0:cut',
    generate,
    { isRetried: () => false },
    [{ isLearned: true, files: [] }],
  ],
])('a task %s', async (_, id, flow, habits, tasks) => {
  const facts = await factsWith(flow, id, { habits })
  expect(facts.applied).toEqual([id])
  expect(facts.tasks).toMatchObject(tasks)
})

it.each<[boolean, string, Flow]>([
  [true, 'ends before its task', ({ client }) => client.create(IMAGE)],
  [false, 'cancels its task', async ({ client }) => client.cancel(await client.create(IMAGE))],
  [false, 'waits for its task', generate],
])('it is %s that a client leaves its task running that %s', async (isLeftRunning, _, flow) => {
  expect((await factsWith(flow)).tasks).toMatchObject([{ isLeftRunning }])
})

it.each<[boolean, string, Flow]>([
  [true, 'cancels', async ({ client }) => client.cancel(await client.create(IMAGE))],
  [true, 'tries to cancel too late', async ({ client }) => client.cancel(await client.generate(IMAGE))],
  [false, 'waits for', generate],
])('it is %s that a client has canceled a task that it %s', async (isCanceled, _, flow) => {
  expect((await factsWith(flow)).tasks).toMatchObject([{ isCanceled }])
})

it('a file is whole if its parts are', async () => {
  const inParts =
    (...ranges: readonly string[]): Flow =>
    async ({ client, around }) => {
      const { output } = await client.wait(await client.create(IMAGE))
      const [url = ''] = /https:[^"]+/.exec(JSON.stringify(output)) ?? []
      const { pathname, search } = new URL(url)
      for (const range of ranges) await around.send(pathname + search, { headers: { range } })
    }
  const whole = await factsWith(inParts('bytes=5000-', 'bytes=0-4999'))
  expect(whole.tasks).toMatchObject([{ files: [0] }])
  const part = await factsWith(inParts('bytes=0-4999', 'bytes=5001-'))
  expect(part.tasks).toMatchObject([{ files: [] }])
})

it('a forged webhook that a receiver accepts is counted', async () => {
  const options = { transport: async () => ({ status: 200 }) }
  const id = 'webhook:task.succeeded#1:wrong_signature'
  expect((await factsWith(receive, id, { options })).acceptedForgeries).toBe(1)
  expect((await factsWith(receive, id)).acceptedForgeries).toBe(0)
})

it('tasks that still run end as planned, but for stuck ones, and a receiver that has gone is not waited for', async () => {
  const sim = createSimulator({
    scenario: { rules: [{ when: { model: 'acme/video-1' }, then: { outcome: 'stuck' } }] },
    transport: () => new Promise(() => {}),
    patience: '1ms',
    speed: 20,
  })
  const exploration = await sim.explore()
  await create(sim, { ...IMAGE, webhookUrl: HOOK })
  await create(sim, { model: 'acme/video-1', input: { prompt: 'waves' } })
  const { tasks, timeline } = await factsOf(sim, exploration)
  sim.close()
  expect(tasks.map(({ status }) => status)).toEqual(['succeeded', 'processing'])
  expect(timeline[0]?.text).toMatch(/^webhook task\.succeeded of \w+ -> no answer within/)
})
