import { createHash } from 'node:crypto'
import Replicate, { type FileOutput, type Prediction, validateWebhook } from 'replicate'
import { expect, it } from 'vitest'
import { startReceiver, type TestReceiver } from '../http/receiver.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeClient, type Open } from './describe-client.js'

const REPLICATE = {
  name: 'replicate',
  client: 'replicate',
  baseUrl: 'https://api.replicate.com/v1',
  path: '/replicate/v1',
}

const VERSION = '27b93a2413e7f36cd83da926f3656280b2931564ff050bf9575f1fdf9bcd7478'
const IMAGE = { model: 'black-forest-labs/flux-schnell', input: { prompt: 'a raccoon in a suit' } } as const

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  return { ...service, baseUrl, replicate: new Replicate({ baseUrl, auth: 'replicate-key' }) }
}

/** Whether the verifier of the client accepts a webhook, with the secret that the service gives. */
async function isGenuine({ headers, body }: TestReceiver['received'][number], replicate: Replicate) {
  const { key } = await replicate.webhooks.default.secret.get()
  const values = headers as Record<string, string>
  const [id = '', timestamp = '', signature = ''] = ['id', 'timestamp', 'signature'].map(
    (name) => values[`webhook-${name}`],
  )
  return validateWebhook({ id, timestamp, signature, body: body.toString(), secret: key })
}

describeClient(REPLICATE, (open) => {
  it('runs a model in one request that the server holds until the output is there', async () => {
    const { sim, replicate, requests } = await start(open)
    const output = await advanceUntilDone(
      sim,
      replicate.run(`stability-ai/stable-diffusion:${VERSION}`, { input: IMAGE.input }),
    )
    const [file] = output as [FileOutput]
    expect(Buffer.from(await (await file.blob()).arrayBuffer()).toString('latin1')).toMatch(/PNG|JFIF|WEBP/)
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve')).toHaveLength(0)
  })

  it('runs a model while the client polls twice a second', async () => {
    const { sim, replicate, requests } = await start(open, { defaults: { delay: '2s' } })
    const before = sim.clock.now()
    const states: string[] = []
    const output = await replicate.run(
      IMAGE.model,
      { input: IMAGE.input, wait: { mode: 'poll' } },
      ({ status }) => states.push(status),
    )
    expect(output).toHaveLength(1)
    expect(sim.clock.now() - before).toBe(2_000)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve')).toHaveLength(5)
    expect(states.at(-1)).toBe('succeeded')
  })

  it('uploads files, also those in the input of a prediction, and lists and deletes them', async () => {
    const { replicate } = await start(open)
    const file = await replicate.files.create(new File(['meow'], 'cat.png', { type: 'image/png' }), {
      from: 'test',
    })
    const { input } = await replicate.predictions.create({
      ...IMAGE,
      input: { ...IMAGE.input, image: new Blob(['woof'], { type: 'image/jpeg' }) },
    })
    expect(await (await fetch((input as { image: string }).image)).text()).toBe('woof')
    expect(file).toMatchObject({
      name: 'cat.png',
      content_type: 'image/png',
      size: 4,
      checksums: { sha256: createHash('sha256').update('meow').digest('hex') },
      metadata: { from: 'test' },
    })
    expect(await replicate.files.get(file.id)).toEqual(file)
    expect((await replicate.files.list()).results).toMatchObject([
      { size: 4, content_type: 'image/jpeg' },
      file,
    ])
    expect(await replicate.files.delete(file.id)).toBe(true)
    await expect(replicate.files.get(file.id)).rejects.toThrow(/404/)
  })

  it('answers with the unfinished prediction when the preferred wait is over', async () => {
    const { sim, replicate } = await start(open)
    const before = sim.clock.now()
    const waiting = replicate.predictions.create({ ...IMAGE, wait: 1 })
    expect((await advanceUntilDone(sim, waiting)).status).toBe('processing')
    expect(sim.clock.now() - before).toBe(1_000)
  })

  it('shows the whole prediction', async () => {
    const { sim, replicate } = await start(open)
    const created = await replicate.predictions.create({ version: VERSION, input: IMAGE.input })
    expect(created).toMatchObject({ status: 'starting', output: null, started_at: null, logs: '' })
    await sim.clock.advance('10s')
    const prediction = await replicate.predictions.get(created.id)
    expect(prediction).toMatchObject({
      id: created.id,
      model: VERSION,
      version: VERSION,
      status: 'succeeded',
      source: 'api',
      input: IMAGE.input,
      error: null,
      logs: expect.stringMatching(/^Loading .+\n.+\nFinished in 10.0 s$/s),
      data_removed: false,
      metrics: { predict_time: 10, total_time: 10 },
      created_at: '2026-01-01T00:00:00.000Z',
      completed_at: '2026-01-01T00:00:10.000Z',
      urls: {
        get: expect.stringMatching(new RegExp(`/predictions/${created.id}$`)),
        cancel: expect.stringMatching(new RegExp(`/${created.id}/cancel$`)),
      },
    })
    const [byUrl] = await Promise.all([replicate.request(prediction.urls.get, {})])
    expect(await byUrl.json()).toEqual(prediction)
  })

  it('gives a text as a list of its pieces, and a video as one URL', async () => {
    const { sim, replicate } = await start(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const run = async (model: `${string}/${string}`) =>
      advanceUntilDone(sim, replicate.run(model, { input: { prompt: 'Write about the sea.' } }))
    expect(await run('meta/llama-3-chat')).toEqual(['The', ' sea', ' is', ' wide.'])
    expect(String(await run('acme/video-1'))).toMatch(/^(?:https?|data):/)
  })

  it('streams the text of a language model while it is written', async () => {
    const { sim, replicate, requests } = await start(open, {
      defaults: { reply: { text: 'The sea is wide.' } },
    })
    const events: unknown[] = []
    const read = async () => {
      const stream = replicate.stream('meta/llama-3-chat', { input: { prompt: 'Write about the sea.' } })
      for await (const { event, data } of stream) events.push([event, data])
    }
    await advanceUntilDone(sim, read())
    const pieces = ['The', ' sea', ' is', ' wide.'].map((piece) => ['output', piece])
    expect(events).toEqual([...pieces, ['done', '{}']])
    const [request] = requests.filter(({ operation }) => operation === 'tasks.stream')
    expect(request).toMatchObject({ delivered: true, note: { observed: [{ status: 'succeeded' }] } })
    expect(request && request.answeredAt - request.at).toBe(10_000)
  })

  it('ends a stream with the error of the prediction', async () => {
    const error = { code: 'oom', message: 'Out of memory.' }
    const { sim, replicate } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const read = async () => {
      for await (const { event } of replicate.stream(IMAGE.model, { input: IMAGE.input }))
        expect(event).toBe('output')
    }
    await expect(advanceUntilDone(sim, read())).rejects.toThrow('Out of memory.')
  })

  it('creates predictions with a deployment', async () => {
    const { replicate } = await start(open)
    const { input } = IMAGE
    const prediction = await replicate.deployments.predictions.create('acme', 'my-app', { input })
    expect(prediction).toMatchObject({ model: 'acme/my-app', deployment: 'acme/my-app', version: 'hidden' })
  })

  it('rejects with the reason when the prediction fails', async () => {
    const error = { code: 'nsfw', message: 'NSFW content detected.' }
    const { sim, replicate } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const { input } = IMAGE
    for (const mode of ['block', 'poll'] as const) {
      const running = advanceUntilDone(sim, replicate.run(IMAGE.model, { input, wait: { mode } }))
      await expect(running).rejects.toThrow(`Prediction failed: ${error.message}`)
    }
  })

  it('cancels a prediction', async () => {
    const { replicate } = await start(open)
    const { id } = await replicate.predictions.create(IMAGE)
    expect((await replicate.predictions.cancel(id)).status).toBe('canceled')
    expect((await replicate.predictions.get(id)).status).toBe('canceled')
  })

  it('lists predictions page by page', async () => {
    const { sim, replicate } = await start(open)
    const { id } = await replicate.predictions.create(IMAGE)
    const ids = [id]
    const order = {
      ...IMAGE,
      dialect: 'replicate',
      owner: 'replicate-key',
      webhookUrl: undefined,
      origin: '',
    }
    for (let count = 0; count < 100; count++) ids.unshift((await sim.create(order)).id)
    const listed: string[][] = []
    for await (const page of replicate.paginate<Prediction>(replicate.predictions.list))
      listed.push(page.map(({ id }) => id))
    expect([listed.length, listed.flat()]).toEqual([2, ids])
  })

  it('posts the prediction to the webhook, signed for the verifier', async () => {
    const { url, received } = await startReceiver()
    const { sim, replicate } = await start(open)
    const { id } = await replicate.predictions.create({
      ...IMAGE,
      webhook: url,
      webhook_events_filter: ['completed'],
    })
    await sim.clock.advance('10s')
    const [webhook] = received
    expect(webhook?.json).toMatchObject({ id, status: 'succeeded', output: [expect.any(String)] })
    expect(webhook && (await isGenuine(webhook, replicate))).toBe(true)
  })

  it('posts a webhook that the verifier rejects, if the scenario forges it', async () => {
    const { url, received } = await startReceiver()
    const { sim, replicate } = await start(open, { webhooks: { faults: [{ then: ['wrong_signature'] }] } })
    await replicate.predictions.create({ ...IMAGE, webhook: url, webhook_events_filter: ['completed'] })
    await sim.clock.advance('10s')
    expect(await Promise.all(received.map((webhook) => isGenuine(webhook, replicate)))).toEqual([false])
  })

  it('rejects with the status and the details of a problem', async () => {
    const { baseUrl, replicate } = await start(open, { auth: { keys: ['replicate-key'] } })
    const stranger = new Replicate({ baseUrl, auth: 'another-key' })
    await expect(stranger.predictions.create(IMAGE)).rejects.toMatchObject({ response: { status: 401 } })
    const missing = await replicate.predictions.get('missing').catch((error) => error)
    expect([missing.name, missing.response.status]).toEqual(['ApiError', 404])
    expect(missing.response.headers.get('content-type')).toBe('application/problem+json')
    expect(missing.message).toMatch(/"title":"Not found","detail":".+","status":404/)
  })

  it('gets six requests at once from the client after a 429', async () => {
    const { sim, replicate, requests } = await start(open, {
      faults: [{ then: { status: 429, message: 'Slow down.' } }],
    })
    const before = sim.clock.now()
    const limited = await replicate.predictions.create(IMAGE).catch((error) => error)
    expect(limited.response.status).toBe(429)
    expect(limited.message).toContain(': {"detail":"Slow down."}')
    expect([requests.length, sim.clock.now() - before]).toEqual([6, 0])
  })

  it('tells the client when a rate limit ends', async () => {
    const { baseUrl } = await start(open, { rate_limits: [{ requests: 1, per: '10s' }] })
    // The official client repeats a rejected list until the limit has ended.
    const list = () => fetch(`${baseUrl}/predictions`, { headers: { authorization: 'Bearer replicate-key' } })
    await list()
    const response = await list()
    expect(response.status).toBe(429)
    const headers = ['ratelimit-remaining', 'ratelimit-reset', 'x-ratelimit-reset']
    // The clock may run on while a slow machine answers.
    const seconds = expect.stringMatching(/^(?:10|[1-9])$/)
    expect(headers.map((name) => response.headers.get(name))).toEqual(['0', seconds, null])
  })
})
