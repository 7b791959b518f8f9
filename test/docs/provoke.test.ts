import { getResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { handlers } from '../../src/hosts/msw/index.js'
import { type ScenarioInput, SHIPPED_NAMES, verifySignature } from '../../src/index.js'
import { FINDING_IDS } from '../../src/inspect/findings/ids.js'
import { FINDING_RULES } from '../../src/inspect/findings/rules.js'
import { HOOK, type Stage, stage } from '../inspect/findings/stage.js'
import type { Habits } from '../support/habits.js'
import { json } from '../support/json.js'
import { type Order, RobustClient } from '../support/robust-client.js'
import { readPage, snippetsOf } from './pages.js'

/** The client of a row: one that generates an image, except for its mistake. */
interface Careless {
  readonly habits?: Partial<Habits>
  /** The real time that an advance waits for the receiver, in milliseconds. */
  readonly patience?: number
  /** Answers webhooks. Without it there is no receiver. */
  respond?(request: Request, on: Stage): Promise<Response> | Response
  run?(on: Stage): Promise<unknown>
}

const IMAGE: Order = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const images = (count: number): Order[] =>
  Array.from({ length: count }, (_, variant) => ({ ...IMAGE, input: { prompt: 'a lighthouse', variant } }))
const answer = (status: number) => new Response(null, { status })

/** Creates a task, and asks for nothing. */
const createOnly = async ({ client, around }: Stage) => {
  await client.create(IMAGE)
  await around.sleep(120_000)
}

const generateAll = (count: number) => async (on: Stage) => {
  for (const order of images(count)) await on.client.generate(order)
}

/** Whether a webhook is signed with the secret of the service. */
async function isGenuine(request: Request): Promise<boolean> {
  const raw = new Uint8Array(await request.clone().arrayBuffer())
  return verifySignature(raw, request.headers.get('x-service-signature'), 'whsec_local_signing_secret')
}

const verified = async (request: Request, then: () => Promise<Response> | Response = () => answer(204)) =>
  (await isGenuine(request)) ? then() : answer(401)

/** Sends requests to the host of another service. */
const sendTo = (dialect: string, { sim }: Stage) => {
  const own = handlers(sim, { dialect })
  return async (url: string, init: RequestInit) =>
    (await getResponse(own, new Request(url, init))) ?? Response.error()
}

const CARELESS: Readonly<Record<string, Careless>> = {
  'pays-twice': { habits: { looksBeforeRetry: false } },
  'orphans-task': {
    habits: { looksBeforeRetry: false, tries: 1 },
    run: async (on) => {
      await on.client.create(IMAGE).catch(() => {})
      await on.around.sleep(120_000)
    },
  },
  'unknown-fields': { habits: { extraFields: { webhookUrl: HOOK } } },
  'polls-too-fast': { habits: { pollInterval: () => 200 } },
  'polls-after-end': {
    habits: { finalStates: ['succeeded'], deadline: 10_000 },
    run: ({ client }) => client.create(IMAGE).then((task) => client.wait(task).catch(() => {})),
  },
  'polls-without-end': { habits: { deadline: 2 * 3_600_000, pollInterval: () => 60_000 } },
  'gives-up-after-failed-poll': {
    habits: { pollTries: 1 },
    run: ({ client }) => client.generate(IMAGE).catch(() => {}),
  },
  'stops-at-unknown-status': {
    async run({ client, around }) {
      const { id } = await client.create(IMAGE)
      await around.sleep(1_000)
      await around.send(`/api/v1/tasks/${id}`, { headers: { authorization: 'Bearer sk_live_local' } })
    },
  },
  'result-never-learned': { run: createOnly },
  'result-never-fetched': {
    async run(on) {
      const send = sendTo('fal', on)
      const headers = { authorization: 'Key fal-key', 'content-type': 'application/json' }
      const body = JSON.stringify({ prompt: 'a lighthouse' })
      const url = 'https://queue.fal.run/fal-ai/flux/dev'
      const { status_url: poll } = await json(await send(url, { method: 'POST', headers, body }))
      while ((await send(poll, { headers })).status === 202) await on.around.sleep(1_000)
    },
  },
  'takes-unfinished-for-result': {
    async run(on) {
      const headers = { authorization: 'Bearer r8', 'content-type': 'application/json', prefer: 'wait' }
      const body = JSON.stringify({ input: { prompt: 'waves' } })
      const url = 'https://api.replicate.com/v1/models/google/veo-3/predictions'
      await sendTo('replicate', on)(url, { method: 'POST', headers, body })
    },
  },
  'output-never-downloaded': { habits: { downloads: 0 } },
  'downloads-some-outputs': {
    async run({ client }) {
      const input = { prompt: 'a lighthouse', num_images: 2 }
      const task = await client.wait(await client.create({ ...IMAGE, input }))
      await client.download({ ...task, output: { images: [Object(task.output)['images'][0]] } })
    },
  },
  'fetched-after-expiry': {
    habits: { renewsUrls: false },
    async run({ client, around }) {
      const task = await client.wait(await client.create(IMAGE))
      await around.sleep(3_600_000)
      await client.download(task).catch(() => {})
    },
  },
  'url-altered': { habits: { keepsQuery: false, renewsUrls: false } },
  'hot-linked': { habits: { downloads: 6 } },
  'keeps-output-url': {
    async run({ client, sim }) {
      const { id } = await client.generate(IMAGE)
      sim.observe('output.kept', { taskId: id, as: 'url' })
    },
  },
  'key-sent-to-file-host': { habits: { sendsKeyToFiles: true } },
  'key-missing': {
    habits: { sendsKey: () => false },
    run: ({ client }) => client.create(IMAGE).catch(() => {}),
  },
  'ignores-retry-after': {
    habits: { honorsRetryAfter: false, tries: 200 },
    run: ({ client }) => Promise.all(images(11).map((order) => client.generate(order))),
  },
  'retries-rejected': {
    habits: { isRetried: () => true, tries: 5 },
    run: (on) => generateAll(4)(on).catch(() => {}),
  },
  'list-not-followed': {
    habits: { followsCursor: false },
    async run(on) {
      await generateAll(3)(on)
      await on.client.list('limit=2')
    },
  },
  'mixed-path-forms': {
    async run({ client, around }) {
      const { id } = await client.generate(IMAGE)
      await new RobustClient(around, { path: '/v1/task' }).wait({ ...IMAGE, id, status: '', created_at: '' })
    },
  },
  'uses-ended-api': {
    async run(on) {
      const headers = { authorization: 'Bearer sk', 'content-type': 'application/json' }
      const body = JSON.stringify({ prompt: 'waves' })
      await sendTo('openai', on)('https://api.openai.com/v1/videos', { method: 'POST', headers, body })
    },
  },
  'accepts-forged-webhook': { respond: () => answer(204) },
  'accepts-old-secret': { respond: () => answer(204), run: generateAll(2) },
  'accepts-old-timestamp': {
    respond: () => answer(204),
    async run({ sim, around }) {
      await sim.dialects.load('replicate')
      const order = { owner: 'r8', dialect: 'replicate', webhookUrl: undefined, origin: '' }
      await sim.create({ ...order, model: 'openai/gpt-5', input: { prompt: 'the sea' } })
      await around.sleep(60_000)
    },
  },
  'fails-on-bad-signature': {
    respond: (request) =>
      request.headers.get('x-service-signature')?.length === 64 ? verified(request) : answer(500),
    run: generateAll(4),
  },
  'rejects-reformatted-webhook': {
    respond: async (request) =>
      verified(new Request(request, { body: JSON.stringify(await json(request.clone())) })),
  },
  'slow-webhook': {
    patience: 5,
    respond: (request, { around }) => verified(request, () => around.sleep(20_000).then(() => answer(204))),
  },
  'redirects-webhook': { respond: () => answer(308) },
  'relies-on-webhook-alone': { respond: (request) => verified(request), run: createOnly },
  'processes-webhook-twice': {
    respond: (request, { sim }) =>
      verified(request, async () => {
        const { task } = await json(request.clone())
        sim.observe('webhook.processed', { taskId: task.id })
        return answer(204)
      }),
  },
}

const page = readPage('docs/provoke.md')
const rows = page.split('\n').flatMap((line) => {
  const [, id, scenario] = /^\| `([\w-]+)` \| `([^`]+)` \|/.exec(line) ?? []
  return id === undefined || scenario === undefined ? [] : [{ id, scenario }]
})

const scenarioOf = (text: string): ScenarioInput =>
  SHIPPED_NAMES.includes(text) ? { extends: text } : { extends: 'default', ...parse(text) }

test('the page has a row for each rule', () => {
  const ids = rows.map(({ id }) => id)
  expect(FINDING_IDS.filter((id) => !ids.includes(id))).toEqual([])
  expect(Object.keys(CARELESS).sort()).toEqual(ids.sort())
})

// A rule of the page may be newer than this build.
const known = rows.filter(({ id }) => FINDING_IDS.some((known) => known === id))

describe.each(known)('$id', ({ id, scenario }) => {
  test(`is found with the scenario ${scenario} and a client that makes the mistake`, async () => {
    const {
      habits,
      patience = 1_000,
      respond,
      run = ({ client }: Stage) => client.generate(IMAGE),
    } = CARELESS[id] ?? {}
    const handle = (request: Request) => respond?.(request, on) ?? answer(204)
    const receivers = respond === undefined ? [] : [{ url: HOOK, handle, everyTask: true }]
    const on: Stage = stage({ scenario: scenarioOf(scenario), receivers, patience }, habits)
    await on.live(run(on).catch(() => {}))
    await on.sim.clock.advance('10m')
    const { findings } = await on.sim.verdict({ final: true })
    expect(findings.map((finding) => finding.id)).toContain(id)
  })
})

describe('an app that gets webhooks', () => {
  const [, section = ''] = page.split('\n## Polls of an app that gets webhooks\n')
  const [added] = snippetsOf('', section)
  const ids = [...(section.split('```')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, id = '']) => id)

  /** Runs an app that polls a task six seconds after its creation, unless the webhook has arrived. */
  async function stateOf(id: string, addition: object): Promise<string | undefined> {
    let isAnnounced = false
    const handle = () => {
      isAnnounced = true
      return answer(204)
    }
    const { scenario = '' } = rows.find((row) => row.id === id) ?? {}
    const own: Stage = stage(
      {
        scenario: { ...scenarioOf(scenario), ...addition },
        receivers: [{ url: HOOK, handle, everyTask: true }],
      },
      { ...CARELESS[id]?.habits, deadline: 60_000 },
    )
    const run = async () => {
      const task = await own.client.create({ ...IMAGE, webhook_url: HOOK })
      await own.around.sleep(6_000)
      if (!isAnnounced) await own.client.wait(task)
    }
    await own.live(run().catch(() => {}))
    await own.sim.clock.advance('10m')
    return (await own.sim.verdict({ final: true })).checked.find((checked) => checked.id === id)?.state
  }

  test.each(ids)('%s is found only if tasks take longer and webhooks are lost', async (id) => {
    expect(await stateOf(id, {})).toBe('not_observed')
    expect(await stateOf(id, parse(added?.text ?? ''))).toBe('found')
  })

  test('the page names its findings', () => {
    expect(ids).toHaveLength(3)
  })
})

test.each(FINDING_RULES)('the advice of $id names only scenarios that exist', ({ provoke }) => {
  const names = [...provoke.matchAll(/scenario `([\w-]+)`(?: or `([\w-]+)`)?/g)].flatMap(
    ([, ...found]) => found,
  )
  expect(names.filter((name) => name !== undefined && !SHIPPED_NAMES.includes(name))).toEqual([])
})
