import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { getResponse } from 'msw'
import { validateWebhook } from 'replicate'
import { expect, it } from 'vitest'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator } from '../../../src/index.js'
import { deepTest, sampleOf } from '../../support/deep.js'
import { folderWith } from '../run.js'
import { runInProcess } from '../run-in-process.js'
import { type Habits, receiver } from './receivers.js'

const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='

/** A dialect that signs the time, which is in a header of its own. */
const STARDUST = `
name: stardust
title: Stardust
prefix: /v1
ids: { characters: uuid }
key: { scheme: Bearer }
statuses: { queued: new, processing: busy, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
error: { body: { message: "{{message}}" } }
operations: { "POST /jobs": { action: create, kind: image }, "GET /jobs/{task_id}": retrieve }
webhook:
  url: "{{body.hook}}"
  events: { queued: new, succeeded: done }
  signature: { header: X-Star-Signature, over: "{{time}}.{{body}}", encoding: base64, headers: { X-Star-Time: "{{time}}" } }
  secret: star_secret
`

/** A dialect with a fixed key in place of a signature. */
const KEYED = STARDUST.replace(/signature: .*/, 'signature: { header: X-Star-Key, value: open sesame }')

/** Probes a receiver, and returns the output and the verdicts that are not ok, by probe. */
async function probe(habits: Habits, ...args: readonly string[]) {
  const { url } = await receiver({ ...habits })
  const folder = folderWith({ 'stardust.yaml': STARDUST, 'keyed.yaml': KEYED })
  const running = runInProcess(folder, ['probe', '--webhook', url, '--format', 'json', ...args])
  await running.ended
  const { results }: { results: { id: string; verdict: string; title: string; seen: string[] }[] } =
    JSON.parse(running.stdout())
  const verdicts = results.filter(({ verdict }) => verdict !== 'ok').map(({ id, verdict }) => [id, verdict])
  return { results, verdicts: Object.fromEntries(verdicts) }
}

const UNSEEN = {
  duplicate: 'not_observed',
  'duplicate-at-once': 'not_observed',
  'out-of-order': 'not_observed',
}
const LATE = { 'late-event': 'not_observed' }

const isFresh = (seconds: string | string[] | undefined) =>
  Math.abs(Date.now() / 1_000 - Number(seconds)) < 300

/** Verifies a webhook with the official client of Replicate. */
async function verifiesReplicate(body: Buffer, headers: IncomingHttpHeaders): Promise<boolean> {
  const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    headers[`webhook-${name}`]?.toString(),
  )
  return validateWebhook({ id, timestamp, signature, body: String(body), secret: SECRET }).catch(() => false)
}

const hex = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

/** Reads the time and the signature of `t=TIME,v1=SIGNATURE`. */
function partsOf(headers: IncomingHttpHeaders) {
  const parts = headers['x-openrouter-signature']?.toString().split(',') ?? []
  const find = (name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
  return { time: find('t'), signature: find('v1') }
}

const star = (text: string) => createHmac('sha256', 'star_secret').update(text).digest('base64')

/** Verifies a webhook with the key that fal publishes, as its documentation describes. */
async function verifiesFal(body: Buffer, headers: IncomingHttpHeaders): Promise<boolean> {
  const sim = createSimulator()
  const published = new Request('https://rest.fal.ai/.well-known/jwks.json')
  const answer = await getResponse(handlers(sim, { dialect: 'fal' }), published)
  const { keys } = JSON.parse((await answer?.text()) ?? '{}')
  const valueIn = (name: string) => headers[`x-fal-webhook-${name}`]?.toString() ?? ''
  const hash = createHash('sha256').update(body).digest('hex')
  const signed = [valueIn('request-id'), valueIn('user-id'), valueIn('timestamp'), hash].join('\n')
  const key = createPublicKey({ key: keys[0], format: 'jwk' })
  return verify(null, Buffer.from(signed), key, Buffer.from(valueIn('signature'), 'hex'))
}

const CORRECT: readonly [string, readonly string[], Habits['verifies'], object][] = [
  [
    'Standard Webhooks, verified by the official client',
    ['--dialect', 'replicate'],
    async (body, _, headers) => isFresh(headers['webhook-timestamp']) && verifiesReplicate(body, headers),
    LATE,
  ],
  [
    'a signature with its time in one header',
    ['--dialect', 'openrouter'],
    (body, _, headers) => {
      const { time, signature } = partsOf(headers)
      return isFresh(time) && signature === hex(`${time},${body}`)
    },
    {},
  ],
  [
    'the signature of fal, verified with the published key',
    ['--dialect', 'fal'],
    async (body, _, headers) => isFresh(headers['x-fal-webhook-timestamp']) && verifiesFal(body, headers),
    {},
  ],
  [
    'the signature of a dialect file',
    ['--dialect', './stardust.yaml'],
    (body, _, { 'x-star-time': time, 'x-star-signature': signature }) =>
      isFresh(time) && signature === star(`${time}.${body}`),
    { ...LATE, 'out-of-order': undefined },
  ],
  [
    'a key that the request has chosen',
    ['--dialect', 'assemblyai', '--auth-header', 'X-Own-Key: open sesame'],
    (_body, _, headers) => headers['x-own-key'] === 'open sesame',
    { changed: 'not_observed' },
  ],
  [
    'the key of a dialect file',
    ['--dialect', './keyed.yaml'],
    (_body, _, headers) => headers['x-star-key'] === 'open sesame',
    { ...LATE, changed: 'not_observed', 'out-of-order': undefined },
  ],
  ['no signature', ['--dialect', 'luma'], () => true, { ...LATE, signature: 'not_observed' }],
]

it.each(sampleOf(1, CORRECT))(
  'a probe reports no failure of a correct receiver of %s',
  async (_, args, verifies, unseen) => {
    const limited = { limit: 2 ** 20, ...(verifies && { verifies }) }
    expect((await probe(limited, ...args)).verdicts).toEqual(
      JSON.parse(JSON.stringify({ ...UNSEEN, ...unseen })),
    )
  },
)

const CARELESS: readonly [string, readonly string[], Habits['verifies'], object][] = [
  [
    'leaves the time to the official client, which does not check it',
    ['--dialect', 'replicate'],
    (body, _, headers) => verifiesReplicate(body, headers),
    { 'old-timestamp': 'warning' },
  ],
  [
    'trusts a webhook without an id or a time',
    ['--dialect', 'replicate'],
    async (body, _, headers) =>
      headers['webhook-id'] === undefined ||
      headers['webhook-timestamp'] === undefined ||
      verifiesReplicate(body, headers),
    { 'no-id': 'error', 'no-timestamp': 'error', 'old-timestamp': 'warning' },
  ],
  [
    'verifies the signature of fal, but not its time',
    ['--dialect', 'fal'],
    (body, _, headers) => verifiesFal(body, headers),
    { 'old-timestamp': 'warning' },
  ],
  [
    'checks only the time and the form of a signature of fal',
    ['--dialect', 'fal'],
    (_body, _, headers) =>
      isFresh(headers['x-fal-webhook-timestamp']) &&
      /^[0-9a-f]{128}$/.test(String(headers['x-fal-webhook-signature'])),
    {
      ...{ 'wrong-signature': 'error', 'changed-timestamp': 'error' },
      ...{ changed: 'error', 'previous-secret': 'warning' },
    },
  ],
  [
    'compares a signature only if there is one',
    ['--dialect', 'openrouter'],
    (body, _, headers) => {
      const { time, signature } = partsOf(headers)
      return !signature || (isFresh(time) && signature === hex(`${time},${body}`))
    },
    {
      'no-signature': 'error',
      'empty-signature': 'error',
      'empty-digest': 'error',
      'malformed-signature': 'error',
    },
  ],
  [
    'verifies the time of the signature, but checks the age of another one',
    ['--dialect', './stardust.yaml'],
    (body, _, { 'x-star-time': time, 'x-star-signature': signature }) =>
      isFresh(time) && [0, 3_600].some((age) => star(`${Number(time) - age}.${body}`) === signature),
    { 'changed-timestamp': 'error' },
  ],
  [
    'compares only the start of a key',
    ['--dialect', './keyed.yaml'],
    (_body, _, headers) => 'open sesame'.startsWith(headers['x-star-key']?.toString() ?? 'none'),
    { 'empty-signature': 'error', 'short-signature': 'error' },
  ],
  [
    'does not know the key that the request has chosen',
    ['--dialect', 'assemblyai', '--auth-header', 'X-Own-Key: open sesame'],
    () => true,
    {
      ...{ 'wrong-signature': 'error', 'no-signature': 'error', 'empty-signature': 'error' },
      ...{ 'malformed-signature': 'error', 'short-signature': 'error', 'long-signature': 'error' },
      'endless-signature': 'error',
    },
  ],
]

deepTest.each(CARELESS)('a probe finds a receiver that %s', async (_, args, verifies, expected) => {
  const { verdicts } = await probe(verifies ? { verifies } : {}, ...args)
  const mistakes = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'not_observed')
  expect(Object.fromEntries(mistakes)).toEqual(expected)
})

it('a probe finds a receiver of unsigned webhooks that knows too few states', async () => {
  const ended = new Set<unknown>()
  const answers = ({ id, state }: Record<string, unknown>) => {
    if (state === 'completed') ended.add(id)
    if (state === 'dreaming') return ended.has(id) ? 409 : 204
    return state === 'completed' || state === 'failed' ? 204 : 422
  }
  const { verdicts } = await probe({ verifies: () => true, answers }, '--dialect', 'luma')
  expect(verdicts).toMatchObject({ 'unknown-event': 'warning', 'late-event': 'warning' })
})

deepTest('a probe sends every event of the service, in its own words', async () => {
  const states: unknown[] = []
  const answers = ({ status }: Record<string, unknown>) => states.push(status) && 204
  const { results } = await probe({ verifies: () => true, answers }, '--dialect', 'replicate')
  const known = ['succeeded', 'failed', 'canceled', 'processing', 'archived']
  expect(new Set(states)).toEqual(new Set(known))
  expect(results.map(({ title }) => title)).toContain('logs (task.logs), correctly signed')
})

it('a probe says why it sends no forged events in the name of a service that does not sign', async () => {
  const { results } = await probe({ verifies: () => true }, '--dialect', 'runpod')
  expect(results.find(({ id }) => id === 'signature')?.seen).toEqual([
    'skipped: the service of the dialect runpod does not sign',
  ])
  expect(results.some(({ id }) => id === 'wrong-signature')).toBe(false)
})

it.each([
  [['--dialect', 'runway'], 'The dialect runway sends no webhooks. These do: tasks, ark, '],
  [['--dialect', 'replicat'], 'There is no dialect "replicat": did you mean `replicate`?'],
  [['--dialect', 'openrouter', '--auth-header', 'X-Key: a'], 'The dialect openrouter signs its webhooks'],
  [['--dialect', 'luma', '--auth-header', 'key'], '--auth-header must be a header such as'],
  [['--dialect', 'luma', '--previous-secret', 'a'], 'The dialect luma signs with no secret'],
])('tasksim probe rejects %j', async (args, message) => {
  const running = runInProcess(folderWith(), ['probe', '--webhook', 'http://127.0.0.1:9/', ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain(message)
})
