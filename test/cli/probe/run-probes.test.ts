import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { deepTest, sampleOf } from '../../support/deep.js'
import { folderWith } from '../run.js'
import { runInProcess } from '../run-in-process.js'
import { type Habits, receiver, SECRET, verifies } from './receivers.js'

type Verdict = 'ok' | 'error' | 'warning' | 'not_observed'

/** A result in the JSON report. */
interface Result {
  readonly id: string
  readonly verdict: Verdict
  readonly seen: readonly string[]
  readonly remedy: string
  readonly sent: readonly object[]
  readonly answers: readonly object[]
}

const SCENARIO = 'webhooks: { previous_secret: whsec_before }'

/** Returns the results of all probes of an endpoint. */
async function probe(url: string, ...args: readonly string[]): Promise<readonly Result[]> {
  const folder = folderWith({ 'a.yaml': SCENARIO })
  const running = runInProcess(folder, ['probe', './a.yaml', '--webhook', url, '--format', 'json', ...args])
  await running.ended
  return JSON.parse(running.stdout()).results
}

/** Returns the verdicts about a receiver by probe id, without those that are ok. */
async function verdicts(habits: Habits, ...args: readonly string[]) {
  const { url } = await receiver(habits)
  const results = await probe(url, ...args)
  return Object.fromEntries(
    results.filter(({ verdict }) => verdict !== 'ok').map(({ id, verdict }) => [id, verdict]),
  )
}

/** The verdicts of probes with no observable result. */
const UNSEEN = {
  duplicate: 'not_observed',
  'duplicate-at-once': 'not_observed',
  'out-of-order': 'not_observed',
}

it('the probes report no failure of a correct receiver, and mark as unknown what they cannot observe', async () => {
  expect(await verdicts({})).toEqual(UNSEEN)
})

deepTest('a probe sends genuine events that a correct receiver accepts', async () => {
  const { url, events } = await receiver()
  await probe(url)
  expect(new Set(events)).toEqual(
    new Set(['task.succeeded', 'task.failed', 'task.canceled', 'task.archived']),
  )
})

const FORGERIES = Object.fromEntries(
  [
    ...['wrong-signature', 'no-signature', 'empty-signature', 'malformed-signature', 'other-alphabet'],
    ...['short-signature', 'long-signature', 'endless-signature', 'changed', 'truncated'],
  ].map((id) => [id, 'error' as Verdict]),
)

const bare = (body: Buffer | string) => createHmac('sha256', SECRET).update(body).digest('hex')

/** Returns whether a signature is valid for the parsed and serialized body. */
function rewritten(body: Buffer, signature: string | undefined): boolean {
  try {
    return signature === bare(JSON.stringify(JSON.parse(String(body))))
  } catch {
    return false
  }
}

const FAULTY_RECEIVERS: readonly [string, Habits, Record<string, Verdict>][] = [
  [
    'verifies nothing',
    { verifies: () => true },
    // It does notice half a body, because that is not JSON.
    { ...FORGERIES, truncated: 'ok', 'previous-secret': 'warning', 'huge-body': 'ok' },
  ],
  [
    'takes a missing signature for a right one',
    { verifies: (body, signature) => signature === undefined || verifies(body, signature) },
    { 'no-signature': 'error' },
  ],
  [
    'takes an empty signature for a right one',
    { verifies: (body, signature) => signature === '' || verifies(body, signature) },
    { 'empty-signature': 'error' },
  ],
  [
    'compares only as much as it is given',
    { verifies: (body, signature) => signature !== undefined && bare(body).startsWith(signature) },
    { 'short-signature': 'error', 'empty-signature': 'error' },
  ],
  [
    'compares only as much as it expects',
    { verifies: (body, signature) => signature?.startsWith(bare(body)) === true },
    { 'long-signature': 'error', 'endless-signature': 'error' },
  ],
  [
    'verifies what it has written itself',
    { verifies: rewritten },
    {
      spaced: 'error',
      // It rejects a body that is not JSON as forged, which is harmless.
      'not-json': 'ok',
    },
  ],
  [
    'verifies characters of another encoding',
    { verifies: (body, signature) => signature === bare(body.toString('latin1')) },
    { 'non-ascii': 'error' },
  ],
  [
    'crashes at a signature of another length',
    { verifies: (body, signature) => (signature?.length === 64 ? verifies(body, signature) : crash()) },
    {
      'no-signature': 'warning',
      'empty-signature': 'warning',
      'malformed-signature': 'warning',
      'short-signature': 'warning',
      'long-signature': 'warning',
      'endless-signature': 'warning',
    },
  ],
  [
    'still takes the previous secret',
    { verifies: (body, signature) => verifies(body, signature) || verifies(body, signature, 'whsec_before') },
    { 'previous-secret': 'warning' },
  ],
  [
    'crashes at a body that is not an event',
    { answers: (event) => ((event['task'] as { id: string }).id === '' ? 400 : 204) },
    { 'not-json': 'warning', 'null-body': 'warning', 'no-task': 'warning', 'empty-body': 'warning' },
  ],
  [
    'refuses events and fields that it does not know',
    {
      answers: ({ event, task, ...more }) =>
        ['task.succeeded', 'task.failed'].includes(String(event)) && Object.keys(more).length === 0
          ? 204
          : 422,
    },
    {
      'unknown-event': 'warning',
      'genuine-canceled': 'warning',
      'extra-field': 'error',
      'not-json': 'warning',
      'null-body': 'warning',
      'empty-body': 'warning',
    },
  ],
  ['refuses large events', { limit: 100 * 1024 }, { 'large-event': 'warning' }],
  ['takes only the bare content type', { types: /^application\/json$/ }, { charset: 'error' }],
  ['answers GET with a success', { get: 200 }, { get: 'warning' }],
  ['crashes at GET', { get: 500 }, { get: 'warning' }],
  ['knows no GET at all', { get: 501 }, {}],
  ['reads one request after the other', { inTurn: true }, { 'slow-client': 'error' }],
  [
    'takes whatever is large for genuine',
    { limit: Infinity, verifies: (body, signature) => body.length > 2 ** 20 || verifies(body, signature) },
    { 'huge-body': 'error' },
  ],
]

it.each(sampleOf(1, FAULTY_RECEIVERS))('a probe finds a receiver that %s', async (_, habits, expected) => {
  const wrong = Object.fromEntries(Object.entries(expected).filter(([, verdict]) => verdict !== 'ok'))
  expect(await verdicts(habits)).toEqual({ ...UNSEEN, ...wrong })
})

deepTest('a probe reports a receiver that rejects duplicates and late events', async () => {
  const seen = new Set<string>()
  const answers = ({ task }: Record<string, unknown>) => {
    const { id } = (task ?? {}) as { id?: string }
    if (id === undefined) return 400
    if (seen.has(id)) return 409
    seen.add(id)
    return 204
  }
  expect(await verdicts({ answers })).toMatchObject({
    duplicate: 'warning',
    'duplicate-at-once': 'warning',
    'out-of-order': 'warning',
  })
})

deepTest('a probe requires the receiver to accept both secrets during a rotation', async () => {
  const both: Habits = {
    verifies: (body, signature) => verifies(body, signature) || verifies(body, signature, 'whsec_before'),
  }
  expect(await verdicts(both, '--previous-secret', 'whsec_before')).toEqual(UNSEEN)
  expect(await verdicts({}, '--previous-secret', 'whsec_before')).toEqual({
    ...UNSEEN,
    'previous-secret': 'error',
  })
})

deepTest('rejections do not count as correct if the genuine event was rejected as well', async () => {
  const results = await verdicts({ verifies: () => false })
  expect(results).toMatchObject({ genuine: 'error', 'wrong-signature': 'not_observed', get: 'not_observed' })
})

deepTest('a probe names a redirect as the reason for lost events', async () => {
  const { url } = await receiver({ always: (response) => response.writeHead(308, { location: '/' }).end() })
  const [genuine] = await probe(url)
  expect([genuine?.verdict, genuine?.remedy]).toEqual(['error', expect.stringContaining('final URL')])
})

it('a probe sends nothing more after a genuine event without an answer', async () => {
  let requests = 0
  const { url } = await receiver({
    always: (response) => {
      requests += 1
      response.socket?.destroy()
    },
  })
  const results = await probe(url)
  expect(requests).toBe(1)
  expect(results.length).toBeGreaterThan(25)
  expect(results.slice(1).every(({ verdict }) => verdict === 'not_observed')).toBe(true)
})

deepTest('a probe gives up on an endpoint that never answers, after the timeout', async () => {
  const { url } = await receiver({ always: () => {} })
  const [genuine] = await probe(url, '--timeout', '50ms')
  expect(genuine?.seen).toEqual([expect.stringMatching(/got no response within 0\.05 s in \d+ ms/)])
})

deepTest('a probe sends events about the given task', async () => {
  const ids = new Set<unknown>()
  const answers = (event: Record<string, unknown>) => {
    ids.add((event?.['task'] as { id?: string } | undefined)?.id)
    return 204
  }
  await verdicts({ answers }, '--task-id', 'task_known')
  expect(ids).toEqual(new Set(['task_known', undefined]))
})

deepTest('a probe keeps the sent requests and the answers in machine-readable form', async () => {
  const { url } = await receiver()
  const [genuine] = await probe(url)
  expect(genuine).toMatchObject({
    expected: '2xx within 5 seconds',
    sent: [{ method: 'POST', body: expect.stringContaining('task.succeeded') }],
    answers: [{ status: 204 }],
  })
})

function crash(): never {
  throw new RangeError('Input buffers must have the same byte length')
}
