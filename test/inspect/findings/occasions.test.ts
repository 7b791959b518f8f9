import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { handlers } from '../../../src/hosts/msw/index.js'
import type { ScenarioInput } from '../../../src/index.js'
import type { FindingId } from '../../../src/inspect/findings/ids.js'
import { NO_OCCASION } from '../../../src/inspect/findings/verdict.js'
import type { Habits } from '../../support/habits.js'
import { HOOK, type Stage, stage } from './stage.js'

const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const KEY = { authorization: 'Bearer sk_live_local' }

interface Run {
  readonly scenario?: ScenarioInput
  readonly habits?: Partial<Habits>
  /** The status that the receiver answers; without it, nobody can be reached. */
  readonly answers?: number
  /** By default, requests an image, waits and downloads it. */
  run?(on: Stage): Promise<unknown>
}

/** The state of a rule at the end of a run, with its reason. */
async function stateOf(id: FindingId, { scenario = {}, habits, answers, run }: Run) {
  const handle = async () => {
    if (answers === undefined) throw new Error('connection refused')
    return new Response(null, { status: answers })
  }
  const on = stage({ scenario, receivers: [{ url: HOOK, handle, everyTask: true }] }, habits)
  await on.live((run ?? (({ client }) => client.generate(IMAGE)))(on))
  const { checked } = await on.sim.verdict({ final: true })
  const { state, reason } = checked.find((rule) => rule.id === id) ?? {}
  return reason === undefined ? state : `${state}: ${reason}`
}

const poll = ({ around }: Stage, { id }: { id: string }) =>
  around.send(`/api/v1/tasks/${id}`, { headers: KEY })

/** Polls a task once more when it has ended, as a loop does, and then waits for some time. */
const pollAfterEnd = (wait: number): Run => ({
  async run(on) {
    const task = await on.client.wait(await on.client.create(IMAGE))
    await on.around.sleep(1_000)
    await poll(on, task)
    await on.around.sleep(wait)
  },
})

const forged: Run = {
  scenario: { extends: 'webhook-forgery' },
  async run(on) {
    await on.client.generate({ ...IMAGE, webhook_url: HOOK })
    await on.sim.clock.runUntilIdle()
  },
}

/** Polls a task that is stuck for a minute, stops, and then waits for some time. */
const givesUp = (wait: number): Run => ({
  scenario: { extends: 'stuck' },
  async run(on) {
    const task = await on.client.create(IMAGE)
    for (let polls = 0; polls < 20; polls++) {
      await on.around.sleep(3_000)
      await poll(on, task)
    }
    await on.around.sleep(wait)
  },
})

const creates = (times: number): Run => ({
  scenario: { faults: [{ when: { operation: 'tasks.create' }, then: 503 }] },
  habits: { tries: times, isRetried: () => true },
  run: ({ client }) => client.create(IMAGE).catch(() => {}),
})

/** Downloads a file in a dialect that needs the key for it. */
async function downloadWithKey({ sim, around }: Stage) {
  await sim.dialects.load('openai')
  const own = handlers(sim, { dialect: 'openai' })
  const body = new FormData()
  body.set('prompt', 'waves')
  const url = 'https://api.openai.com/v1/videos'
  const { id } = await (
    (await getResponse(own, new Request(url, { method: 'POST', headers: KEY, body }))) as Response
  ).json()
  await around.sleep(600_000)
  await getResponse(own, new Request(`${url}/${id}`, { headers: KEY }))
  await getResponse(own, new Request(`${url}/${id}/content`, { headers: KEY }))
}

/** Orders twice, because the first answer is lost. */
const ordersAgain = (first: object, second: object): Run => ({
  scenario: { extends: 'lost-create-response' },
  async run({ around, sim }) {
    for (const input of [first, second]) {
      const body = JSON.stringify({ model: IMAGE.model, input: { ...IMAGE.input, ...input } })
      const headers = { ...KEY, 'content-type': 'application/json' }
      await around.send('/api/v1/tasks', { method: 'POST', headers, body }).catch(() => {})
      await around.sleep(1_000)
    }
    await sim.clock.runUntilIdle()
  },
})

test.each<[FindingId, string, string | RegExp, Run]>([
  [
    'pays-twice',
    'the second order has another random reference',
    /^not_observed: .*looks like an id/,
    ordersAgain(
      { ref: '5c0a1a52-9f5c-4b0e-9d7c-0e7a3a1f2b3c' },
      { ref: '0b8d2f64-1c3e-4a57-8f9a-7d6e5c4b3a21' },
    ),
  ],
  [
    'pays-twice',
    'the second order has another time',
    /^not_observed: .*looks like an id/,
    ordersAgain({ sent: '2026-01-01T00:00:00.000Z' }, { sent: '2026-01-01T00:00:01.250Z' }),
  ],
  [
    'pays-twice',
    'the second order has another number of milliseconds',
    /^not_observed: .*looks like an id/,
    ordersAgain({ nonce: 1_767_225_600_000 }, { nonce: 1_767_225_601_000 }),
  ],
  ['pays-twice', 'the second order has another prompt', 'ok', ordersAgain({}, { prompt: 'a harbour' })],
  [
    'pays-twice',
    'the second order has the URL of another picture',
    'ok',
    ordersAgain(
      { image: 'https://example.com/5c0a1a529f5c4b0e9d7c.png' },
      { image: 'https://example.com/0b8d2f641c3e4a578f9a.png' },
    ),
  ],
  [
    'polls-after-end',
    'the last request was a poll after the end',
    /^not_observed: .*poll after its end.*minute/,
    pollAfterEnd(2_000),
  ],
  ['polls-after-end', 'the client was silent for a minute afterwards', 'ok', pollAfterEnd(61_000)],
  ['polls-without-end', 'few create requests failed', `not_observed: ${NO_OCCASION}`, creates(10)],
  [
    'polls-without-end',
    'many create requests failed within a short time',
    /^not_observed: .*failed 60 times/,
    creates(60),
  ],
  [
    'polls-without-end',
    'the client canceled a task at its deadline',
    'ok',
    { scenario: { extends: 'stuck' }, habits: { deadline: 60_000 } },
  ],
  ['polls-without-end', 'the client gave a task up, and the test went on', 'ok', givesUp(3_600_000)],
  ['polls-without-end', 'the test ended with the client', /^not_observed: .*advance\("1h"\)/, givesUp(0)],
  [
    'polls-without-end',
    'the client gave up after many failed requests',
    'ok',
    {
      ...creates(30),
      run: async (on) => {
        await on.client.create(IMAGE).catch(() => {})
        await on.around.sleep(3_600_000)
      },
    },
  ],
  ['fetched-after-expiry', 'no URL had expired at the end', `not_observed: ${NO_OCCASION}`, {}],
  [
    'fetched-after-expiry',
    'the URLs have expired after the download',
    'ok',
    { run: (on) => on.client.generate(IMAGE).then(() => on.around.sleep(3 * 86_400_000)) },
  ],
  [
    'result-never-learned',
    'a polled task was left running',
    /^not_observed: .*runUntilIdle/,
    { scenario: { extends: 'stuck' }, run: async (on) => poll(on, await on.client.create(IMAGE)) },
  ],
  [
    'result-never-learned',
    'a webhook was pending at the end',
    /^not_observed: .*before the webhook of a task was due/,
    {
      scenario: { webhooks: { faults: [{ then: { delay: '1h' } }] } },
      run: (on) => on.client.create({ ...IMAGE, webhook_url: HOOK }).then(() => on.around.sleep(60_000)),
    },
  ],
  [
    'mixed-path-forms',
    'one request was sent',
    `not_observed: ${NO_OCCASION}`,
    { run: ({ client }) => client.create(IMAGE) },
  ],
  ['mixed-path-forms', 'several requests were sent', 'ok', {}],
  ['accepts-forged-webhook', 'the receiver cannot be reached', `not_observed: ${NO_OCCASION}`, forged],
  [
    'accepts-forged-webhook',
    'the receiver rejects the valid webhook, too',
    /^not_observed: .*valid webhooks as well/,
    { ...forged, answers: 404 },
  ],
  ['fails-on-bad-signature', 'the receiver cannot be reached', `not_observed: ${NO_OCCASION}`, forged],
  [
    'key-sent-to-file-host',
    'the file needs the key',
    `not_observed: ${NO_OCCASION}`,
    { run: downloadWithKey },
  ],
])('%s: %s', async (id, _, expected, run) => {
  expect(await stateOf(id, run)).toMatch(
    typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected,
  )
})
