import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClient, type Open } from './describe-client.js'

const GOOGLE = { name: 'google', baseUrl: 'https://generativelanguage.googleapis.com', path: '/google' }
const VEO = 'models/veo-3.1-generate-preview:predictLongRunning'
const CLIENT = { 'user-agent': 'google-genai-sdk/3.3.0' }
const DONE = ['video.generated', 'batch.succeeded']
/** The verifier compares the time of webhooks with its own. */
const TODAY = { clock: 'manual', start: new Date() } as const

interface Received {
  readonly headers: object
  readonly body: unknown
}

async function start(open: Open, ...[scenario, options = TODAY]: Parameters<Open>) {
  const service = await open(scenario, options)
  const client = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: service.baseUrl } })
  /** Client 3 makes no more videos with Veo, of which only these webhooks tell. */
  const makeVideo = async (fields: object = {}, key = 'gemini-key', prompt = 'Waves.') => {
    const response = await fetch(`${service.baseUrl}/v1/${VEO}`, {
      method: 'POST',
      headers: { ...CLIENT, 'content-type': 'application/json', 'x-goog-api-key': key },
      body: JSON.stringify({ instances: [{ prompt }], ...fields }),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { name: string }).name
  }
  return { ...service, client, makeVideo, ai: client('gemini-key'), ...(await startReceiver()) }
}

/** Standard Webhooks as the client of another service verifies them; that of this one has no verifier. */
async function isGenuine({ headers, body }: Received, secret: string): Promise<boolean> {
  const { webhooks } = new OpenAI({ apiKey: 'any', webhookSecret: secret })
  return webhooks.verifySignature(String(body), headers as Record<string, string>).then(
    () => true,
    () => false,
  )
}

/** An answer without the response that the client attaches. */
function plain({ sdkHttpResponse: _, ...fields }: object & { sdkHttpResponse?: unknown }): object {
  return fields
}

interface Claims {
  readonly iat: number
  readonly exp: number
}

/** The claims of the token in a webhook; undefined if no key of the service has signed it. */
async function claimsOf(webhook: Received, baseUrl: string): Promise<Claims | undefined> {
  const [header = '', payload = '', signature = ''] = headerOf(webhook, 'webhook-signature').split('.')
  const answer = await fetch(`${baseUrl}/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: (JsonWebKey & { kid: string })[] }
  const { kid, alg } = parsed(header) as { kid: string; alg: string }
  const key = keys.find((each) => each.kid === kid)
  if (key === undefined || alg !== 'RS256') return undefined
  const publicKey = createPublicKey({ key, format: 'jwk' })
  const text = Buffer.from(`${header}.${payload}`)
  const isGenuine = verify('sha256', text, publicKey, Buffer.from(signature, 'base64url'))
  return isGenuine ? (parsed(payload) as Claims) : undefined
}

function parsed(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}

function headerOf({ headers }: Received, name: string): string {
  return String(new Map(Object.entries(headers)).get(name))
}

function last(received: readonly Received[]): Received {
  const found = received.at(-1)
  if (found === undefined) throw new Error('No webhook arrived.')
  return found
}

describeClient(GOOGLE, (open) => {
  it('registers a webhook, and signs the webhooks about videos with its secret', async () => {
    const { sim, ai, makeVideo, url, received } = await start(open)
    const { new_signing_secret: secret = '', ...created } = await ai.webhooks.create({
      name: 'mine',
      uri: url,
      subscribed_events: DONE,
    })
    expect(created).toMatchObject({
      id: expect.stringMatching(/^[a-z0-9]{36}$/),
      name: 'mine',
      uri: url,
      subscribed_events: DONE,
      state: 'enabled',
      signing_secrets: [{ truncated_secret: `whsec_...${secret.slice(-4)}` }],
    })
    const id = created.id ?? ''
    expect(plain(await ai.webhooks.get(id))).toEqual(plain(created))
    expect((await ai.webhooks.list()).webhooks).toEqual([plain(created)])
    const name = await makeVideo()
    await makeVideo({}, 'gemini-key', '[[sim outcome=failed]]')
    await sim.clock.advance('1m')
    expect(received).toHaveLength(1)
    const task = name.split('/').at(-1)
    expect(JSON.parse(String(last(received).body))).toEqual({
      type: 'video.generated',
      version: 'v1',
      timestamp: expect.any(String),
      data: { id: task, file_name: `files/${task}`, output_file_uri: expect.stringMatching(/^https:/) },
    })
    expect(await isGenuine(last(received), secret)).toBe(true)
    expect(await isGenuine(last(received), `${secret.slice(0, -5)}AAAA=`)).toBe(false)
  })

  it('signs with both secrets for a day after a rotation, unless the previous one is revoked', async () => {
    const { sim, ai, url, received } = await start(open)
    const created = await ai.webhooks.create({ uri: url, subscribed_events: DONE })
    const [id, first] = [created.id ?? '', created.new_signing_secret ?? '']
    const rotate = async (
      behavior: 'revoke_previous_secrets_after_h24' | 'revoke_previous_secrets_immediately',
    ) => (await ai.webhooks.rotateSigningSecret(id, { revocation_behavior: behavior })).secret ?? ''
    const genuine = async (...secrets: string[]) => {
      await ai.webhooks.ping(id)
      await sim.clock.advance('1s')
      return Promise.all(secrets.map((secret) => isGenuine(last(received), secret)))
    }
    const second = await rotate('revoke_previous_secrets_after_h24')
    expect((await ai.webhooks.get(id)).signing_secrets).toMatchObject([
      { truncated_secret: `whsec_...${second.slice(-4)}` },
      { truncated_secret: `whsec_...${first.slice(-4)}`, expire_time: expect.any(String) },
    ])
    expect(await genuine(first, second)).toEqual([true, true])
    const third = await rotate('revoke_previous_secrets_immediately')
    expect(await genuine(first, second, third)).toEqual([false, false, true])
    expect((await ai.webhooks.get(id)).signing_secrets).toHaveLength(1)
  })

  it('sends nothing to a webhook that is disabled, moved or deleted, or that asks for other events', async () => {
    const { sim, ai, makeVideo, client, url, received } = await start(open)
    const { id = '' } = await ai.webhooks.create({ uri: url, subscribed_events: DONE })
    const sent = async (key?: string) => {
      const before = received.length
      await makeVideo({}, key)
      await sim.clock.advance('1m')
      return received.length - before
    }
    expect(await sent('another-key')).toBe(0)
    expect(await sent()).toBe(1)
    expect((await ai.webhooks.update(id, { state: 'disabled' })).state).toBe('disabled')
    expect(await sent()).toBe(0)
    await ai.webhooks.update(id, { state: 'enabled', subscribed_events: ['batch.failed'] })
    expect(await sent()).toBe(0)
    await ai.webhooks.update(id, { subscribed_events: DONE })
    expect(await sent()).toBe(1)
    await ai.webhooks.delete(id)
    expect(await sent()).toBe(0)
    await expect(ai.webhooks.get(id)).rejects.toMatchObject({ status: 404 })
    expect((await client('another-key').webhooks.list()).webhooks).toEqual([])
  })

  it('lists webhooks by page, and rejects events and receivers that do not exist', async () => {
    const { ai, client, url } = await start(open)
    const ids: (string | undefined)[] = []
    for (const name of ['one', 'two', 'three'])
      ids.unshift((await ai.webhooks.create({ name, uri: url, subscribed_events: DONE })).id)
    const first = await ai.webhooks.list({ page_size: 2 })
    const rest = await ai.webhooks.list({ page_size: 2, page_token: first.next_page_token })
    expect([...(first.webhooks ?? []), ...(rest.webhooks ?? [])].map(({ id }) => id)).toEqual(ids)
    expect(rest.next_page_token).toBeUndefined()
    const refused = { status: 400 }
    await expect(ai.webhooks.list({ page_token: 'none' })).rejects.toMatchObject(refused)
    await expect(ai.webhooks.create({ uri: url, subscribed_events: ['video.done'] })).rejects.toMatchObject(
      refused,
    )
    await expect(ai.webhooks.create({ uri: 'mailto:me', subscribed_events: DONE })).rejects.toMatchObject(
      refused,
    )
    await expect(client('other').webhooks.delete(ids[0] ?? '')).rejects.toMatchObject({ status: 404 })
  })

  it('never shows a secret as a whole after the answer that gave it', async () => {
    const { sim, ai, url } = await start(open)
    const { id = '', new_signing_secret: first = '' } = await ai.webhooks.create({
      uri: url,
      subscribed_events: DONE,
    })
    const { secret: second = '' } = await ai.webhooks.rotateSigningSecret(id, {})
    await ai.webhooks.list()
    const receivers = await sim.control.receivers.list()
    expect(receivers).toMatchObject([
      { id, source: 'api', registration: { dialect: 'google', key: '***30' } },
    ])
    const shown = JSON.stringify([sim.journal.entries(), receivers, await sim.control.journal.list()])
    expect([first, second].filter((secret) => secret.length < 40 || shown.includes(secret))).toEqual([])
  })

  it('switches a webhook off that answers 410, until the client enables it', async () => {
    const { sim, ai } = await start(open)
    const { url, received } = await startReceiver((_, response) => void response.writeHead(410).end())
    const { id = '' } = await ai.webhooks.create({ uri: url, subscribed_events: DONE })
    await ai.webhooks.ping(id)
    await sim.clock.advance('1s')
    expect(received).toHaveLength(1)
    expect((await ai.webhooks.get(id)).state).toBe('disabled_due_to_failed_deliveries')
    expect((await ai.webhooks.update(id, { state: 'enabled' })).state).toBe('enabled')
  })

  it('posts a token to the receivers that a request names, in place of those that are registered', async () => {
    const { sim, ai, makeVideo, baseUrl, url, received } = await start(open)
    const [one, two] = [await startReceiver(), await startReceiver()]
    await ai.webhooks.create({ uri: url, subscribed_events: DONE })
    const webhookConfig = { uris: [one.url, two.url], userMetadata: { job: 'waves' } }
    await makeVideo({ webhookConfig })
    await sim.clock.advance('1m')
    expect(received).toEqual([])
    const [first, second] = [last(one.received), last(two.received)]
    expect(JSON.parse(String(first.body))).toMatchObject({
      type: 'video.generated',
      user_metadata: { job: 'waves' },
    })
    const now = sim.clock.now() / 1_000
    expect(await claimsOf(first, baseUrl)).toMatchObject({
      iss: GOOGLE.baseUrl,
      aud: one.url,
      jti: headerOf(first, 'webhook-id'),
    })
    expect(await claimsOf(second, baseUrl)).toMatchObject({ aud: two.url })
    const { iat = 0, exp } = (await claimsOf(first, baseUrl)) ?? {}
    expect([iat <= now, exp, headerOf(first, 'webhook-timestamp')]).toEqual([true, iat + 300, String(iat)])
  })

  it.each(['wrong_signature', 'previous_secret', 'old_timestamp'] as const)(
    'posts a token that a receiver rejects after the fault %s',
    async (word) => {
      const { sim, makeVideo, baseUrl, url, received } = await start(open, {
        webhooks: { faults: [{ then: word }] },
      })
      await makeVideo({ webhookConfig: { uris: [url] } })
      await sim.clock.advance('10s')
      const claims = await claimsOf(last(received), baseUrl)
      const isExpired = (claims?.exp ?? Number.POSITIVE_INFINITY) < sim.clock.now() / 1_000
      expect(claims === undefined || isExpired).toBe(true)
    },
  )
})
