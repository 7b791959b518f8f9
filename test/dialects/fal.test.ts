import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { ApiError, createFalClient, type FalClient, type QueueStatus, ValidationError } from '@fal-ai/client'
import { expect, it } from 'vitest'
import { startReceiver, type TestReceiver } from '../http/receiver.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeClient, download, type Open } from './describe-client.js'

const FAL = { name: 'fal', client: '@fal-ai/client', baseUrl: 'https://queue.fal.run', path: '/fal' }
const FLUX = 'fal-ai/flux/dev'
const INPUT = { prompt: 'a lighthouse', image_size: { width: 512, height: 512 } }

/** In process, the client calls the hosts of the service; over HTTP, it sends everything to the proxy of the dialect. */
async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const isReal = baseUrl === FAL.baseUrl
  const proxy = { url: `${baseUrl}/proxy`, when: 'always' as const }
  const make = (credentials?: string): FalClient =>
    createFalClient({
      fetch: globalThis.fetch,
      credentials: credentials ?? '',
      ...(!isReal && { proxyUrl: proxy }),
    })
  // A server has the keys of every dialect at the same path.
  const rest = isReal ? 'https://rest.fal.ai' : baseUrl
  const { keys } = await (await fetch(`${rest}/.well-known/jwks.json`)).json()
  service.requests.length = 0
  return { ...service, make, fal: make('fal-key'), jwk: keys[0] as JsonWebKey, isReal }
}

/** Verifies a webhook as the documentation of fal describes. */
function isGenuine({ headers, body }: TestReceiver['received'][number], jwk: JsonWebKey): boolean {
  const [id, user, time, signature] = ['request-id', 'user-id', 'timestamp', 'signature'].map((name) =>
    String(headers[`x-fal-webhook-${name}`]),
  )
  const hash = createHash('sha256').update(body).digest('hex')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(
    null,
    Buffer.from([id, user, time, hash].join('\n')),
    key,
    Buffer.from(signature ?? '', 'hex'),
  )
}

describeClient(FAL, (open) => {
  it('gives no result if a fault shows the request as it was before its end', async () => {
    const when = { operation: 'tasks.result' as const }
    const { sim, fal } = await start(open, { faults: [{ when, then: ['stale', 'pass', 'stale'] }] })
    const { request_id: requestId } = await fal.queue.submit(FLUX, { input: INPUT })
    await sim.clock.advance('1h')
    await expect(fal.queue.result(FLUX, { requestId })).rejects.toMatchObject({ status: 400 })
    for (const _ of ['current', 'seen before'])
      expect((await fal.queue.result(FLUX, { requestId })).data.images).toHaveLength(1)
  })

  it('polls twice a second until the request is completed, and gives its result', async () => {
    const { sim, fal, requests } = await start(open, { defaults: { delay: '2s' } })
    const before = sim.clock.now()
    const states: QueueStatus[] = []
    const { data, requestId } = await fal.subscribe(FLUX, {
      input: INPUT,
      onQueueUpdate: (status) => void states.push(status),
    })
    expect(sim.clock.now() - before).toBe(2_000)
    expect(requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'tasks.create 200',
      ...Array(4).fill('tasks.retrieve 202'),
      'tasks.retrieve 200',
      'tasks.result 200',
    ])
    expect(states[0]).toMatchObject({ status: 'IN_PROGRESS', request_id: requestId, logs: null })
    expect(states.at(-1)).toMatchObject({ status: 'COMPLETED', metrics: { inference_time: 2 } })
    expect(data).toMatchObject({
      prompt: 'a lighthouse',
      images: [{ content_type: 'image/png', width: 512, height: 512, file_name: '0.png' }],
    })
    expect(await download(data.images[0]?.url)).toMatch(/PNG/)
    expect(await sim.findings()).toEqual([])
  })

  it('follows the stream of the status, with the log', async () => {
    const { sim, fal, requests } = await start(open)
    const states: QueueStatus[] = []
    const subscribing = fal.subscribe(FLUX, {
      input: INPUT,
      mode: 'streaming',
      logs: true,
      onQueueUpdate: (status) => void states.push(status),
    })
    const { data } = await advanceUntilDone(sim, subscribing)
    expect(data.images).toHaveLength(1)
    expect(requests.map(({ operation }) => operation)).toEqual([
      'tasks.create',
      'tasks.stream',
      'tasks.result',
    ])
    const last = states.at(-1)
    expect(last).toMatchObject({ status: 'COMPLETED' })
    const messages = last !== undefined && 'logs' in last ? last.logs.map(({ message }) => message) : []
    expect(messages.length).toBeGreaterThan(3)
    expect([new Set(messages).size, messages.at(-1)]).toEqual([messages.length, 'Finished in 10.0 s'])
  })

  it('submits, and shows the position in the queue and the log on request', async () => {
    const { sim, fal } = await start(open, { capacity: { running: 1 } })
    const first = await fal.queue.submit(FLUX, { input: INPUT })
    const { request_id: requestId, ...second } = await fal.queue.submit(FLUX, { input: INPUT })
    expect([first.queue_position, second.queue_position]).toEqual([0, 0])
    expect(second.response_url).toMatch(new RegExp(`/fal-ai/flux/requests/${requestId}$`))
    const third = await fal.queue.submit(FLUX, { input: INPUT })
    expect(await fal.queue.status(FLUX, { requestId: third.request_id })).toMatchObject({
      status: 'IN_QUEUE',
      queue_position: 1,
    })
    await expect(fal.queue.result(FLUX, { requestId })).rejects.toMatchObject({
      status: 400,
      body: { detail: 'Request is still in progress' },
    })
    await sim.clock.advance('15s')
    expect(await fal.queue.status(FLUX, { requestId, logs: true })).toMatchObject({
      status: 'IN_PROGRESS',
      logs: expect.arrayContaining([
        {
          message: expect.any(String),
          level: 'INFO',
          source: 'USER',
          timestamp: expect.stringMatching(/Z$/),
        },
      ]),
    })
  })

  it('gets the result in the same request, and a video as one file', async () => {
    const { sim, fal, requests } = await start(open)
    const { data, requestId } = await advanceUntilDone(
      sim,
      fal.run('fal-ai/veo3', { input: { prompt: 'waves' } }),
    )
    expect(data.video).toMatchObject({ content_type: 'video/mp4', file_name: '0.mp4' })
    expect(await download(data.video.url)).toMatch(/ftyp/)
    expect(requests.map(({ operation, taskId }) => [operation, taskId])).toEqual([
      ['tasks.create', requestId],
      ['files.download', requestId],
    ])
  })

  it('streams the output while it is written', async () => {
    const { sim, fal } = await start(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const outputs: string[] = []
    const read = async () => {
      const stream = await fal.stream('fal-ai/any-llm', { input: { prompt: 'Write about the sea.' } })
      stream.on('data', ({ output }) => outputs.push(output))
      return stream.done()
    }
    expect(await advanceUntilDone(sim, read())).toEqual({ output: 'The sea is wide.' })
    expect(outputs).toHaveLength(5)
    expect(outputs).toEqual([...outputs].sort((one, other) => one.length - other.length))
    expect(outputs[0]).not.toBe(outputs[4])
  })

  it('rejects with the error of the model, which the completed request does not show', async () => {
    const error = { code: 'content_policy', message: 'NSFW content detected.' }
    const { sim, fal } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    for (const method of ['subscribe', 'run'] as const) {
      const failing = fal[method](FLUX, { input: INPUT })
      const failure = await advanceUntilDone(sim, failing).catch((failure) => failure)
      expect(failure).toBeInstanceOf(ValidationError)
      expect([failure.status, failure.fieldErrors]).toEqual([
        422,
        [{ loc: ['body'], msg: error.message, type: 'content_policy_violation' }],
      ])
      expect(failure.requestId).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('retries the result after a timeout of the model', async () => {
    const error = { code: 'timeout', message: 'The model took too long.' }
    const { sim, fal, requests } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const failure = await advanceUntilDone(sim, fal.subscribe(FLUX, { input: INPUT })).catch(
      (failure) => failure,
    )
    expect([failure instanceof ApiError, failure.status]).toEqual([true, 504])
    expect(requests.filter(({ operation }) => operation === 'tasks.result')).toHaveLength(4)
  })

  it('reports a failure of the infrastructure as a text with a type, as the result and as a fault', async () => {
    const error = { code: 'runner_disconnected', message: 'The runner has disconnected.' }
    const { sim, fal } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const failure = await advanceUntilDone(sim, fal.subscribe(FLUX, { input: INPUT })).catch(
      (failure) => failure,
    )
    expect([failure.status, failure.body]).toEqual([
      503,
      { detail: error.message, error_type: 'runner_disconnected' },
    ])
    const fault = { status: 503, code: 'runner_scheduling_failure', message: 'No runner.' }
    const rejecting = await start(open, { faults: [{ when: { operation: 'tasks.create' }, then: fault }] })
    await expect(rejecting.fal.queue.submit(FLUX, { input: INPUT })).rejects.toMatchObject({
      status: 503,
      body: { detail: 'No runner.', error_type: 'runner_scheduling_failure' },
    })
  })

  it('cancels a request, once', async () => {
    const { sim, fal } = await start(open)
    const { request_id: requestId } = await fal.queue.submit(FLUX, { input: INPUT })
    await fal.queue.cancel(FLUX, { requestId })
    expect((await sim.tasks.get(requestId))?.status).toBe('canceled')
    expect((await fal.queue.status(FLUX, { requestId })).status).toBe('COMPLETED')
    await expect(fal.queue.result(FLUX, { requestId })).rejects.toMatchObject({
      status: 499,
      body: { error_type: 'client_cancelled' },
    })
    const done = await fal.queue.submit(FLUX, { input: INPUT })
    await sim.clock.advance('10s')
    await expect(fal.queue.cancel(FLUX, { requestId: done.request_id })).rejects.toMatchObject({
      status: 400,
      body: { status: 'ALREADY_COMPLETED' },
    })
  })

  it('cancels the request when the time of the client is over', async () => {
    const { sim, fal } = await start(open)
    let id = ''
    const onEnqueue = (given: string) => {
      id = given
    }
    const waiting = fal.subscribe(FLUX, { input: INPUT, timeout: 3_000, onEnqueue })
    await expect(waiting).rejects.toThrow('Client timed out waiting for the request to complete after 3000ms')
    await expect.poll(async () => (await sim.tasks.get(id))?.status).toBe('canceled')
  })

  it('uploads a file of the input first', async () => {
    const { sim, fal, requests } = await start(open)
    const image = new File(['meow'], 'cat.png', { type: 'image/png' })
    const { request_id: id } = await fal.queue.submit('fal-ai/flux/dev/image-to-image', {
      input: { ...INPUT, image_url: image } as never,
    })
    const url = String((await sim.tasks.get(id))?.input['image_url'])
    expect(await (await fetch(url)).text()).toBe('meow')
    expect(requests.map(({ operation }) => operation).slice(0, 3)).toEqual([
      'files.upload',
      'files.upload',
      'tasks.create',
    ])
  })

  it('posts a webhook that verifies with the published key, and one that does not', async () => {
    const { url, received } = await startReceiver()
    const { sim, fal, jwk } = await start(open, {
      rules: [{ when: { input: { prompt: 'no' } }, then: { outcome: 'failed' } }],
      webhooks: { faults: [{ when: { nth: 3 }, then: ['wrong_signature'] }] },
    })
    for (const prompt of ['yes', 'no', 'forged']) {
      await fal.queue.submit(FLUX, { input: { prompt }, webhookUrl: url })
      await sim.clock.advance('10s')
    }
    const [ok, failed, forged] = received
    expect(ok?.json).toMatchObject({
      request_id: expect.any(String),
      status: 'OK',
      payload: { images: [{ url: expect.stringMatching(/0\.png/) }] },
      error: null,
    })
    expect(failed?.json).toMatchObject({
      status: 'ERROR',
      payload: { detail: [{ loc: ['body'], type: 'generation_failed' }] },
      error: 'The generation could not be completed.',
    })
    const all = [ok, failed, forged].map((webhook) => webhook && isGenuine(webhook, jwk))
    expect(all).toEqual([true, true, false])
    expect(ok && isGenuine({ ...ok, body: Buffer.from(`${ok.body} `) }, jwk)).toBe(false)
  })

  it('retries a webhook ten times in two hours', async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(500).end())
    const { sim, fal } = await start(open)
    await fal.queue.submit(FLUX, { input: INPUT, webhookUrl: url })
    await sim.clock.advance('2h10s')
    expect(received).toHaveLength(11)
    const [first, last] = [received[0], received.at(-1)].map((each) =>
      Number(each?.headers['x-fal-webhook-timestamp']),
    )
    expect((last ?? 0) - (first ?? 0)).toBe(7_200)
  })

  it('rejects with the status and the detail of a problem', async () => {
    const { fal, make, requests, needsKey } = await start(open, {
      auth: { keys: ['fal-key'] },
      defaults: { limits: { images: 4 } },
    })
    await expect(make('another').queue.submit(FLUX, { input: INPUT })).rejects.toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('API key') },
    })
    // A client behind a proxy has no key of its own.
    if (!needsKey) expect((await make().queue.submit(FLUX, { input: INPUT })).status).toBe('IN_QUEUE')
    const requestId = '00000000-0000-4000-8000-000000000000'
    const unknown = await fal.queue.status(FLUX, { requestId }).catch((error) => error)
    expect([unknown.status, unknown.requestId]).toEqual([404, requests.at(-1)?.id])
    const empty = await fal.queue
      .submit(FLUX, { input: { prompt: 'x', num_images: 1_000 } })
      .catch((error) => error)
    expect([empty.name, empty.fieldErrors]).toEqual([
      'ValidationError',
      [{ loc: ['body', expect.any(String)], msg: expect.any(String), type: 'value_error' }],
    ])
  })

  it('retries three times after a 429, and not at the time that the service asks for', async () => {
    const { fal, requests } = await start(open, { faults: [{ then: { status: 429, retry_after: '1m' } }] })
    const limited = await fal.queue.submit(FLUX, { input: INPUT }).catch((error) => error)
    expect([limited.status, limited.body]).toEqual([429, { detail: expect.any(String) }])
    const waits = requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0))
    expect(waits).toHaveLength(3)
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(750 * 2 ** index)
      expect(wait).toBeLessThanOrEqual(1_250 * 2 ** index)
    }
  })

  it('answers to requests under the owner and the app only', async () => {
    const { fal, isReal } = await start(open)
    const { status_url: url } = await fal.queue.submit(FLUX, { input: INPUT })
    const headers = { authorization: 'Key fal-key' }
    expect(url).toMatch(
      isReal ? /^https:\/\/queue\.fal\.run\/fal-ai\/flux\/requests/ : /\/fal\/queue\/fal-ai\/flux\/requests/,
    )
    expect((await fetch(url, { headers })).status).toBe(202)
    const longer = url.replace('/flux/', '/flux/dev/')
    expect((await fetch(longer, { headers })).status).toBe(405)
    expect((await fetch(longer.replace('/status', ''), { headers })).status).toBe(405)
    const cancel = longer.replace('/status', '/cancel')
    expect((await fetch(cancel, { method: 'PUT', headers })).status).toBe(405)
  })

  it.each(['workflows/acme/my-images', 'comfy/acme/my-images', 'comfy/acme/my-images/run'])(
    'knows the namespace of %s',
    async (id) => {
      const { sim, fal } = await start(open)
      const { requestId } = await advanceUntilDone(
        sim,
        fal.subscribe(id, { input: INPUT, mode: 'streaming' }),
      )
      expect((await sim.tasks.get(requestId))?.model).toBe(id)
      await expect(fal.queue.cancel(id, { requestId })).rejects.toMatchObject({ status: 400, requestId })
    },
  )
})
