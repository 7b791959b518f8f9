import { getResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { handlers } from '../../../src/hosts/msw/index.js'
import type { ScenarioInput } from '../../../src/index.js'
import { FINDING_RULES } from '../../../src/inspect/findings/rules.js'
import { sampleOf } from '../../support/deep.js'
import type { Habits } from '../../support/habits.js'
import { json } from '../../support/json.js'
import { type Order, RobustClient } from '../../support/robust-client.js'
import { found, foundByProxy, HOOK, type Stage, stage } from './stage.js'

const START = Date.parse('2026-01-01T00:00:00Z')
const IMAGE: Order = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const TWO_IMAGES: Order = { model: 'acme/image-1', input: { prompt: 'a lighthouse', num_images: 2 } }
const KEY = { authorization: 'Bearer sk_live_local' }
const VIDEO: Order = { model: 'acme/video-1', input: { prompt: 'waves' } }

/** A client that makes one mistake. */
interface Mistake {
  readonly scenario?: ScenarioInput
  readonly habits?: Partial<Habits>
  /** The real time that an advance waits for its receiver. */
  readonly patience?: number
  /** Whether the answers alone do not show the mistake, so that a proxy cannot tell. */
  readonly isHidden?: boolean
  /** A part of the first sentence of evidence. */
  readonly says?: string
  /** Answers webhooks. Without it there is no receiver. */
  respond?(request: Request, on: Stage): Response | Promise<Response>
  /** By default, requests an image, waits and downloads it. */
  run?(on: Stage): Promise<unknown>
}

const withWebhookFault = (
  then: NonNullable<NonNullable<ScenarioInput['webhooks']>['faults']>[number]['then'],
) => ({
  webhooks: { faults: [{ then }] },
})

const status = (code: number) => () => new Response(null, { status: code })

/** Rejects forged requests, and runs an action for valid ones. */
const verified = async (
  request: Request,
  { app }: Stage,
  then = () => new Response(null, { status: 204 }),
) => {
  const { status: verdict } = await app.handle(request)
  return verdict === 401 ? new Response(null, { status: 401 }) : then()
}

/** Verifies the signature of a compact serialization with the fields in the usual order. */
async function reserialized(request: Request, on: Stage): Promise<Response> {
  const { task, ...event } = await json(request.clone())
  const { id, model, status: state, ...rest } = task
  const body = JSON.stringify({ ...event, task: { id, model, status: state, ...rest } })
  return verified(new Request(request, { body }), on)
}

const generateAndWait = async ({ client, around }: Stage, milliseconds: number, order = IMAGE) => {
  const task = await client.create(order)
  await around.sleep(milliseconds)
  return task
}

const pollEachSecond = async (on: Stage, task: { id: string }, count: number) => {
  for (let poll = 0; poll < count; poll++) {
    await on.around.sleep(1_000)
    await on.around.send(`/api/v1/tasks/${task.id}`, { headers: { authorization: 'Bearer sk_live_local' } })
  }
}

/** Creates a task, and polls it every minute, whatever the answers are. */
const pollForHours = async (on: Stage, hours: number) => {
  const { id } = await on.client.create(IMAGE)
  for (let poll = 0; poll < 60 * hours; poll++) {
    await on.around.sleep(60_000)
    await on.around.send(`/api/v1/tasks/${id}`, { headers: KEY }).catch(() => {})
  }
}

/** Closes a create request after ten minutes, and orders the same again. */
const orderAfterClosing = async ({ sim, around }: Stage, again: () => Promise<unknown>) => {
  const leave = new AbortController()
  const request = new Request('https://api.example.com/api/v1/tasks', {
    method: 'POST',
    headers: { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' },
    body: JSON.stringify(IMAGE),
    signal: leave.signal,
  })
  const closed = getResponse(handlers(sim), request).catch(() => {})
  await around.sleep(600_000)
  leave.abort()
  await closed
  await again()
}

/** Cancels a task when it has succeeded already, which the service rejects. */
const cancelTooLate = async (on: Stage) => {
  const task = await generateAndWait(on, 120_000)
  await on.client.cancel(task).catch(() => {})
  return task
}

/** Creates a client whose code uses two base addresses. */
const createAndGenerateAt = async (path: string, { client, around }: Stage) => {
  await client.generate(IMAGE)
  await new RobustClient(around, { path }).generate({ ...IMAGE, input: { prompt: 'a harbour' } })
}

/** Submits a task to fal, whose status does not contain the output, and polls it until the end. */
async function submitAndPoll(
  { sim, around }: Stage,
  then?: (request: { path: string; send: typeof fetch }) => Promise<unknown>,
) {
  const own = handlers(sim, { dialect: 'fal' })
  const send: typeof fetch = async (url, init) => {
    const request = new Request(url, {
      ...init,
      headers: { authorization: 'Key fal-key', 'content-type': 'application/json' },
    })
    return (await getResponse(own, request)) ?? Response.error()
  }
  const body = JSON.stringify({ prompt: 'a lighthouse' })
  const { response_url: path } = await json(
    await send('https://queue.fal.run/fal-ai/flux/dev', { method: 'POST', body }),
  )
  while ((await send(`${path}/status`)).status === 202) await around.sleep(1_000)
  await then?.({ path, send })
}

const MISTAKES: Readonly<Record<string, Readonly<Record<string, Mistake>>>> = {
  'pays-twice': {
    'retries at once when the answer is lost': {
      scenario: { extends: 'lost-create-response' },
      habits: { looksBeforeRetry: false },
    },
    'retries when it has lost its patience': {
      scenario: { faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: { delay: '90s' } }] },
      habits: { looksBeforeRetry: false },
    },
    'retries when it cannot read the answer': {
      scenario: { faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: 'invalid_json' }] },
      habits: { looksBeforeRetry: false },
    },
    'closes a request without an answer after ten minutes, and sends it again': {
      scenario: { extends: 'unanswered-create' },
      run: (on) => orderAfterClosing(on, () => on.client.generate(IMAGE)),
      isHidden: true,
    },
    'has left a task that never ends after ten minutes, and orders it again': {
      scenario: { extends: 'unanswered-create', rules: [{ then: { outcome: 'stuck' } }] },
      run: (on) => orderAfterClosing(on, async () => pollEachSecond(on, await on.client.create(IMAGE), 2)),
      isHidden: true,
    },
  },
  'orphans-task': {
    'gives up when the answer is lost': {
      scenario: { extends: 'lost-create-response' },
      habits: { isRetried: () => false, looksBeforeRetry: false },
      run: ({ client }) => client.create(IMAGE).catch(() => {}),
    },
    'gives up when it cannot read the answer': {
      scenario: { faults: [{ when: { operation: 'tasks.create', nth: 1 }, then: 'empty' }] },
      habits: { isRetried: () => false, looksBeforeRetry: false },
      run: ({ client }) => client.create(IMAGE).catch(() => {}),
    },
  },
  'unknown-fields': {
    'writes the webhook_url its own way': { habits: { extraFields: { webhookUrl: HOOK } } },
  },
  'polls-too-fast': {
    'polls an image five times a second': { habits: { pollInterval: () => 200 } },
    'polls a video every second': {
      habits: { pollInterval: () => 1_000 },
      run: ({ client }) => client.generate(VIDEO),
    },
  },
  'polls-after-end': {
    'does not stop at a failure': {
      scenario: { rules: [{ then: { outcome: 'failed' } }] },
      habits: { finalStates: ['succeeded'], deadline: 10_000 },
      run: ({ client }) => client.create(IMAGE).then((task) => client.wait(task).catch(() => {})),
    },
    'does not stop at a task that it has canceled': {
      scenario: { extends: 'stuck' },
      async run(on) {
        const task = await on.client.create(IMAGE)
        await on.client.cancel(task)
        await pollEachSecond(on, task, 4)
      },
    },
  },
  'polls-without-end': {
    'has no deadline': {
      scenario: { extends: 'stuck' },
      habits: { deadline: 2 * 3_600_000, pollInterval: () => 60_000 },
    },
    ...Object.fromEntries(
      (
        [
          503,
          'reset',
          { status: 429, retry_after: '30s' },
          'invalid_json',
          { patch: { status: 'on_hold' } },
        ] as const
      ).map((then) => [
        `polls on for hours after each ${JSON.stringify(then)}`,
        {
          scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then }] },
          run: (on) => pollForHours(on, 3),
          isHidden: true,
        } satisfies Mistake,
      ]),
    ),
    'repeats a create request for hours': {
      scenario: { faults: [{ when: { operation: 'tasks.create' }, then: 503 }] },
      habits: { tries: 300, isRetried: () => true },
      run: ({ client }) => client.create(IMAGE).catch(() => {}),
      says: 'failed 300 times in a row, within',
    },
    'repeats a download for hours': {
      scenario: { faults: [{ when: { operation: 'files.download' }, then: 503 }] },
      habits: { tries: 100 },
      says: 'failed 100 times in a row, within',
    },
  },
  'gives-up-after-failed-poll': {
    'throws at the first 503': {
      scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
      habits: { pollTries: 1 },
      run: ({ client }) => client.generate(IMAGE).catch(() => {}),
    },
    'throws at the first lost connection': {
      scenario: { faults: [{ when: { operation: 'tasks.retrieve', nth: 2 }, then: 'reset' }] },
      habits: { pollTries: 1 },
      run: ({ client }) => client.generate(IMAGE).catch(() => {}),
    },
    'throws after three failures within seconds': {
      scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then: 503 }] },
      habits: { pollTries: 3 },
      run: ({ client }) => client.generate(IMAGE).catch(() => {}),
    },
  },
  'stops-at-unknown-status': {
    'stops at an unknown word': {
      scenario: {
        faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { status: 'on_hold' } } }],
      },
      async run(on) {
        const task = await generateAndWait(on, 1_000)
        await pollEachSecond(on, task, 1)
      },
      isHidden: true,
      says: 'was answered with the unknown status `on_hold`, and the client stopped without the output.',
    },
  },
  'result-never-learned': {
    'forgets what it has ordered': { run: (on) => generateAndWait(on, 120_000) },
    'polls once, and leaves': {
      async run(on) {
        const task = await on.client.create(IMAGE)
        await pollEachSecond(on, task, 1)
        await on.around.sleep(120_000)
      },
    },
    'is content with a cancel request that came too late': { run: cancelTooLate, isHidden: true },
    'names a receiver that nobody runs': {
      scenario: { webhooks: { retries: ['1h'] } },
      respond: () => Response.error(),
      run: (on) => generateAndWait(on, 120_000),
    },
    'is down when the webhook comes': { respond: status(503), run: (on) => generateAndWait(on, 120_000) },
  },
  'result-never-fetched': {
    'takes the end of a task for its success': {
      scenario: { rules: [{ then: { outcome: 'failed' } }] },
      run: (on) => submitAndPoll(on),
    },
    'stops after the status': { run: (on) => submitAndPoll(on) },
    'does not ask again after a 503': {
      scenario: { faults: [{ when: { operation: 'tasks.result' }, then: 503 }] },
      run: (on) => submitAndPoll(on, ({ path, send }) => send(path)),
    },
  },
  'takes-unfinished-for-result': {
    'takes the held answer to a create request as it is': {
      scenario: { rules: [{ then: { delay: '5m' } }] },
      async run({ sim }) {
        const url = 'https://api.lumalabs.ai/dream-machine/v1/generations/image'
        const body = JSON.stringify({ model: 'photon-1', prompt: 'a lighthouse', sync: true })
        const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
        const request = new Request(url, { method: 'POST', headers, body })
        await getResponse(handlers(sim, { dialect: 'luma' }), request)
      },
    },
  },
  'output-never-downloaded': {
    'polls, and is content': { habits: { downloads: 0 } },
    'polls once more after a spoiled answer, and is content': {
      scenario: { faults: [{ when: { operation: 'tasks.retrieve' }, then: [{ headers: { age: '0' } }] }] },
      async run(on) {
        const task = await generateAndWait(on, 60_000)
        await pollEachSecond(on, task, 2)
      },
    },
    'lists once more after a spoiled list, and is content': {
      scenario: { faults: [{ when: { operation: 'tasks.list' }, then: [{ headers: { age: '0' } }] }] },
      async run({ client, sim }) {
        await client.create(IMAGE)
        await sim.clock.advance(60_000)
        await client.list('limit=2')
        await client.list('limit=2')
      },
    },
    'reads the task after a cancel request that came too late, and is content': {
      run: (on) => cancelTooLate(on).then((task) => pollEachSecond(on, task, 1)),
    },
    'hears, and is content': {
      respond: (request, on) => verified(request, on),
      run: (on) => generateAndWait(on, 120_000),
    },
  },
  'downloads-some-outputs': {
    'takes the first of two images': {
      async run({ client }) {
        const task = await client.wait(await client.create(TWO_IMAGES))
        await client.download({ ...task, output: { images: [Object(task.output)['images'][0]] } })
      },
      says: 'The client used 1 of the 2 files.',
    },
  },
  'fetched-after-expiry': {
    'keeps the URL for two days': {
      habits: { renewsUrls: false },
      async run({ client, around }) {
        const task = await client.wait(await client.create(IMAGE))
        await around.sleep(2 * 86_400_000)
        await client.download(task)
      },
    },
    'comes when the file is gone': {
      scenario: { outputs: { lifetime: '90d' } },
      async run({ client, around }) {
        const task = await client.wait(await client.create(IMAGE))
        await around.sleep(31 * 86_400_000)
        await client.download(task)
      },
    },
  },
  'url-altered': {
    'takes the query for something that tracks': { habits: { keepsQuery: false, renewsUrls: false } },
  },
  'hot-linked': { 'shows the URL on a page': { habits: { downloads: 6 } } },
  'keeps-output-url': {
    'writes the URL into its database': {
      async run({ client, sim }) {
        const { id } = await client.generate(IMAGE)
        sim.observe('output.kept', { taskId: id, as: 'url' })
      },
    },
  },
  'key-sent-to-file-host': { 'has the key in every request': { habits: { sendsKeyToFiles: true } } },
  'key-missing': {
    'has no key where it creates at first': {
      async run({ client, around }) {
        await around.send('/api/v1/tasks', { method: 'POST' })
        await client.generate(IMAGE)
      },
    },
    'never has a key': {
      habits: { sendsKey: () => false },
      run: ({ client }) => client.create(IMAGE).catch(() => {}),
    },
    'has no key where it cancels': {
      habits: { sendsKey: (_, path) => !path.endsWith('/cancel') },
      async run({ client }) {
        const task = await client.create(IMAGE)
        await client.cancel(task).catch(() => {})
        await client.download(await client.wait(task))
      },
    },
  },
  'ignores-retry-after': {
    'comes back after half a second': {
      scenario: {
        faults: [{ when: { operation: 'tasks.create' }, then: [{ status: 503, retry_after: '20s' }] }],
      },
      habits: { honorsRetryAfter: false },
    },
    'comes back at once after an answer that came late': {
      scenario: {
        faults: [
          { when: { operation: 'tasks.create' }, then: [{ status: 429, retry_after: '10s', delay: '30s' }] },
        ],
      },
      habits: { honorsRetryAfter: false },
      says: 'was rejected with a Retry-After of 10 s, and the client retried after 500 ms.',
    },
    'comes back before the date': {
      scenario: {
        faults: [
          { when: { operation: 'tasks.retrieve' }, then: [{ status: 429, retry_after: { date: '20s' } }] },
        ],
      },
      habits: { honorsRetryAfter: false },
    },
    'repeats a download after a second': {
      scenario: {
        faults: [{ when: { operation: 'files.download' }, then: [{ status: 503, retry_after: '10s' }] }],
      },
      habits: { honorsRetryAfter: false },
      says: 'was rejected with a Retry-After of 10 s, and the client retried after 1 s.',
    },
    'does not mind its rate limit': {
      scenario: { rate_limits: [{ operation: 'tasks.create', requests: 1, per: '1m' }] },
      habits: { honorsRetryAfter: false, tries: 200 },
      async run({ client }) {
        await client.generate(IMAGE)
        await client.generate(IMAGE)
      },
    },
  },
  'retries-rejected': {
    'sends a bad request five times': {
      habits: { isRetried: () => true, tries: 5 },
      run: ({ client }) => client.create({ model: '', input: {} }).catch(() => {}),
    },
    'sends a bad request eight times, with long waits in the end': {
      async run({ around }) {
        for (const wait of [0, 1_000, 1_000, 1_000, 120_000, 120_000, 120_000, 120_000]) {
          await around.sleep(wait)
          const init = { method: 'POST', headers: KEY, body: '{"model":"","input":{}}' }
          await around.send('/api/v1/tasks', init)
        }
      },
      says: 'the client sent it 7 times more',
    },
    'sends what it cannot pay': {
      scenario: { auth: { credits: 0 } },
      habits: { isRetried: () => true, tries: 5 },
      run: ({ client }) => client.create(IMAGE).catch(() => {}),
    },
    'asks for a file that is not there any more': {
      scenario: { faults: [{ when: { operation: 'files.download' }, then: 410 }] },
      habits: { isRetried: () => true, tries: 5 },
    },
    'asks for a task that is not there': {
      habits: { isRetried: () => true, tries: 5 },
      run: ({ client }) =>
        client.cancel({ ...IMAGE, id: 'task_none', status: '', created_at: '' }).catch(() => {}),
    },
  },
  'list-not-followed': {
    'reads the first page only': {
      habits: { followsCursor: false },
      async run({ client }) {
        for (let variant = 0; variant < 3; variant++)
          await client.generate({ ...IMAGE, input: { prompt: 'a lighthouse', variant } })
        await client.list('limit=2')
      },
    },
  },
  'mixed-path-forms': {
    'polls at the singular': { run: (on) => createAndGenerateAt('/api/v1/task', on) },
    'leaves out /api in one place': { run: (on) => createAndGenerateAt('/v1/tasks', on) },
  },
  'uses-ended-api': {
    'lists the videos of OpenAI': {
      async run({ sim }) {
        const headers = { authorization: 'Bearer sk_live_local' }
        const request = new Request('https://api.openai.com/v1/videos', { headers })
        await getResponse(handlers(sim, { dialect: 'openai' }), request)
      },
    },
  },
  'accepts-forged-webhook': Object.fromEntries(
    (
      [
        'wrong_signature',
        'no_signature',
        'empty_signature',
        'malformed_signature',
        'changed',
        'truncated',
      ] as const
    ).map((word) => [
      `takes whatever comes (${word})`,
      {
        scenario: withWebhookFault(word),
        respond: status(204),
        run: (on) => generateAndWait(on, 120_000),
      } satisfies Mistake,
    ]),
  ),
  'accepts-old-secret': {
    'knows both secrets': {
      scenario: withWebhookFault('previous_secret'),
      respond: status(204),
      run: ({ client }) => client.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
  'accepts-old-timestamp': {
    'verifies the signature alone': {
      scenario: withWebhookFault('old_timestamp'),
      respond: status(204),
      async run({ sim, around }) {
        await sim.dialects.load('replicate')
        const order = { owner: 'sk_live_local', dialect: 'replicate', webhookUrl: undefined, origin: '' }
        await sim.create({ ...order, model: 'openai/gpt-5', input: { prompt: 'the sea' } })
        await around.sleep(60_000)
      },
    },
  },
  'fails-on-bad-signature': {
    'compares without looking at the form': {
      scenario: withWebhookFault('malformed_signature'),
      async respond(request, on) {
        const isForm = /^[0-9a-f]{64}$/.test(request.headers.get('x-service-signature') ?? '')
        return isForm ? verified(request, on) : new Response(null, { status: 500 })
      },
      run: ({ app }) => app.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
  'rejects-reformatted-webhook': {
    'verifies its own serialization': {
      scenario: withWebhookFault('spaced'),
      respond: reserialized,
      run: ({ client }) => client.generate({ ...IMAGE, webhook_url: HOOK }),
    },
    'accepts the second attempt, which has the usual format': {
      scenario: withWebhookFault({ body: 'reordered', attempts: 'first' }),
      respond: reserialized,
      run: ({ app }) => app.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
  'slow-webhook': {
    'does the work before it answers': {
      patience: 5,
      respond: (request, on) =>
        verified(request, on, () => new Response(null, { status: 204 })).then((response) =>
          on.around.sleep(20_000).then(() => response),
        ),
      run: ({ client }) => client.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
  'redirects-webhook': {
    'wants a slash at the end': {
      respond: () => new Response(null, { status: 308, headers: { location: `${HOOK}/` } }),
      run: ({ client }) => client.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
  'relies-on-webhook-alone': {
    'waits for a webhook that is lost': {
      scenario: withWebhookFault('lost'),
      respond: (request, on) => verified(request, on),
      run: (on) => generateAndWait(on, 120_000),
    },
    'only cancels the task of a lost webhook, which comes too late': {
      scenario: withWebhookFault('lost'),
      respond: (request, on) => verified(request, on),
      run: cancelTooLate,
    },
    'waits for one that is forged to the end': {
      scenario: withWebhookFault({ signature: 'wrong', attempts: 'all' }),
      respond: (request, on) => verified(request, on),
      run: (on) => generateAndWait(on, 120_000),
    },
  },
  'processes-webhook-twice': {
    'does not know what it has done': {
      scenario: withWebhookFault('duplicate'),
      async respond(request, on) {
        const { task } = await json(request.clone())
        return verified(request, on, () => {
          on.sim.observe('webhook.processed', { taskId: task.id })
          return new Response(null, { status: 204 })
        })
      },
      run: ({ app }) => app.generate({ ...IMAGE, webhook_url: HOOK }),
    },
  },
}

test('every mistake has a client', () => {
  expect(Object.keys(MISTAKES).sort()).toEqual(FINDING_RULES.map(({ id }) => id).sort())
})

async function make({ scenario = {}, habits, respond, run, patience = 1_000 }: Mistake): Promise<Stage> {
  const handle = (request: Request) => respond?.(request, on) ?? new Response(null, { status: 204 })
  const receivers = respond === undefined ? [] : [{ url: HOOK, handle, everyTask: true }]
  const on: Stage = stage({ scenario: { extends: 'default', ...scenario }, receivers, patience }, habits)
  await on.live(run?.(on) ?? on.client.generate(IMAGE))
  await on.sim.clock.runUntilIdle()
  return on
}

describe.each(Object.entries(MISTAKES))('%s', (id, clients) => {
  test.each(Object.entries(clients))(
    'reports exactly one finding for a client that %s',
    async (_, mistake) => {
      const { sim } = await make(mistake)
      expect(await found(sim)).toEqual([id])
      const { findings, checked } = await sim.verdict({ final: true })
      expect(checked.find((rule) => rule.id === id)?.state).toBe('found')
      const [first] = findings[0]?.evidence ?? []
      expect(first?.seen).toMatch(/^[A-Z\d/].* .*[.?)]$/)
      expect(first?.seen).toContain(mistake.says ?? '')
      expect(first?.at).toBeGreaterThanOrEqual(START)
      expect(first?.at).toBeLessThanOrEqual(sim.clock.now())
    },
  )
})

test('an event that a receiver rejects at each attempt is one occurrence', async () => {
  const { sim } = await make(
    MISTAKES['rejects-reformatted-webhook']?.['verifies its own serialization'] ?? {},
  )
  const { findings } = await sim.verdict({ final: true })
  expect(findings.map(({ id, count }) => [id, count])).toEqual([['rejects-reformatted-webhook', 1]])
})

/**
 * Rules that the proxy of `tasksim record` cannot apply, because the mistake is that an answer does not reach the client;
 * and rules whose clients here call other services.
 */
const NOT_HERE: readonly string[] = [
  'pays-twice',
  'orphans-task',
  'result-never-fetched',
  'stops-at-unknown-status',
  'takes-unfinished-for-result',
  'uses-ended-api',
]
/** Rules about mistakes that the requests show. */
const SHOWN = FINDING_RULES.filter(({ sees, needs }) => sees === undefined && needs === undefined)
  .map(({ id }) => id)
  .filter((id) => !NOT_HERE.includes(id))

describe.each(sampleOf(2, SHOWN))('%s, between the client and the service', (id) => {
  const shown = Object.entries(MISTAKES[id] ?? {}).filter(([, { isHidden }]) => isHidden !== true)

  test.each(shown)('is found for a client that %s', async (_, mistake) => {
    expect(await foundByProxy(await make(mistake))).toEqual([id])
  })
})
