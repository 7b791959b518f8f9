import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../../../src/hosts/express/index.js'
import { parseRecording, type ScenarioInput } from '../../../src/index.js'
import { redactedText } from '../../../src/record/recording/redacted-text.js'
import { HOOK, record, SALT, type Served, START, serve, unsigned } from './real-service.js'

const SERVICE: ScenarioInput = {
  seed: 'hidden',
  defaults: { queueing: '1s', delay: { min: '2s', max: '9s' }, price: { per_task: 0.03 } },
}
const URL_OF_TASKS = 'https://api.example.com/api/v1/tasks'

interface AnyTask {
  readonly id: string
  readonly status: string
  readonly [field: string]: unknown
}

function order({ send }: Pick<Served, 'send'>, prompt: unknown): Promise<Response> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  return send(URL_OF_TASKS, { method: 'POST', headers: HEADERS, body })
}

async function create(service: Pick<Served, 'send'>, prompt: unknown): Promise<AnyTask> {
  return (await order(service, prompt)).json()
}

async function poll({ send }: Pick<Served, 'send'>, id: string): Promise<AnyTask> {
  return (await send(`${URL_OF_TASKS}/${id}`, { headers: HEADERS })).json()
}

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

function imagesOf(task: AnyTask | undefined): readonly string[] {
  const { images } = (task?.['output'] ?? {}) as { readonly images?: readonly string[] }
  return images ?? []
}

/** A recording of tasks with these prompts, one after the other, each polled twice a second until its end. */
async function recordedTasks(...prompts: string[]) {
  const real = record('tasks', { scenario: SERVICE })
  const tasks: AnyTask[] = []
  for (const prompt of prompts) {
    const { id } = await create(real, prompt)
    for (let step = 0; step < 22; step++) {
      await real.sim.clock.advance(500)
      await poll(real, id)
    }
    tasks.push(await poll(real, id))
  }
  return { real, tasks }
}

describe('a replay', () => {
  it('gives the nth equal request the nth recorded task, and behaves as learned afterwards', async () => {
    const { real, tasks } = await recordedTasks('waves', 'foam', 'waves')
    const replay = serve('tasks', { scenario: await parseRecording(real.text()) })
    const created = []
    for (const prompt of ['waves', 'waves', 'waves', 'rain', 'foam'])
      created.push(await create(replay, prompt))
    const [waves, foam, again] = tasks
    expect(created.map(({ id }) => id)).toEqual([
      waves?.id,
      again?.id,
      expect.not.stringMatching(`${waves?.id}|${again?.id}`),
      expect.any(String),
      foam?.id,
    ])
    const plans = await Promise.all(created.map(({ id }) => replay.sim.tasks.get(id)))
    expect(plans.map((task) => task?.plan.rule)).toEqual([
      'recorded',
      'recorded',
      'learned',
      'learned',
      'recorded',
    ])
  })

  it('reports which of the two applied with each create request', async () => {
    const { real } = await recordedTasks('waves')
    const replay = serve('tasks', { scenario: await parseRecording(real.text()) })
    const reported: unknown[] = []
    replay.sim.on('request.answered', ({ note }) => reported.push(note.replay))
    await poll(replay, (await create(replay, 'waves')).id)
    await create(replay, 'waves')
    expect(reported).toEqual(['recorded', undefined, 'learned'])
  })

  it('repeats durations, cost and times, shifted to the time of the simulator', async () => {
    const { real, tasks } = await recordedTasks('waves')
    const start = '2030-07-01T00:00:00.000Z'
    const replay = serve('tasks', { scenario: await parseRecording(real.text()), start })
    const { id } = await create(replay, 'waves')
    await replay.sim.clock.advance('11s')
    const shift = Date.parse(start) - Date.parse(START)
    const shifted = (time: unknown) => new Date(Date.parse(String(time)) + shift).toISOString()
    const [recorded] = tasks
    expect(await poll(replay, id)).toMatchObject({
      status: 'succeeded',
      created_at: shifted(recorded?.['created_at']),
      completed_at: shifted(recorded?.['completed_at']),
      cost_usd: 0.03,
    })
    expect((await replay.sim.tasks.get(id))?.cost).toBe(30_000)
  })

  it('matches redacted inputs by their hashes', async () => {
    const { real, tasks } = await recordedTasks('waves', 'foam')
    const text = real
      .text()
      .replaceAll('"waves"', JSON.stringify(redactedText(SALT, 'waves')))
      .replaceAll('"foam"', JSON.stringify(redactedText(SALT, 'foam')))
    const replay = serve('tasks', { scenario: await parseRecording(text) })
    expect((await create(replay, 'foam')).id).toBe(tasks[1]?.id)
    expect((await create(replay, 'waves')).id).toBe(tasks[0]?.id)
  })

  it('gives clients their own values where the recording has redacted them', async () => {
    const { real, tasks } = await recordedTasks('say "waves"', 'foam')
    const hash = redactedText(SALT, 'say "waves"')
    const text = real.text().replaceAll(JSON.stringify('say "waves"'), JSON.stringify(hash))
    const replay = serve('tasks', { scenario: await parseRecording(text) })
    const { id } = await create(replay, 'say "waves"')
    await replay.sim.clock.advance('11s')
    const polled = await poll(replay, id)
    expect(unsigned(JSON.stringify(polled))).toBe(unsigned(JSON.stringify(tasks[0])))
    expect(polled['input']).toEqual({ prompt: 'say "waves"' })
  })

  it('matches texts with masked secrets by the rest of the text', async () => {
    const { real, tasks } = await recordedTasks('the key sk-1234567890 of Ada', 'the key sk-9 of Bob')
    const text = real.text().replaceAll(/sk-\d+/g, '***')
    const replay = serve('tasks', { scenario: await parseRecording(text) })
    expect((await create(replay, 'the key sk-777 of Bob')).id).toBe(tasks[1]?.id)
    expect((await create(replay, 'the key sk-777 of Ada')).id).toBe(tasks[0]?.id)
    const { id } = await create(replay, 'the key  of Ada')
    expect((await replay.sim.tasks.get(id))?.plan.rule).toBe('learned')
  })

  it.each([
    { 'retry-after': '7' },
    { 'retry-after': 'Sun, 22 Nov 2026 10:00:07 GMT', date: 'Sun, 22 Nov 2026 10:00:00 GMT' },
  ])('rejects the requests that were rejected in the recording, in their order: %j', async (wait) => {
    const body = { error: { code: 'rate_limited', message: 'Wait for 7 s.' } }
    const { real, tasks } = await recordedTasks('waves', 'waves')
    const creates = real.entries.filter(
      (entry) => entry.type === 'exchange' && entry.request.method === 'POST',
    )
    const [, second = expect.unreachable()] = creates
    const rejected = (status: number, headers: object = {}) => ({
      ...second,
      response: { status, headers: { 'content-type': 'application/json', ...headers }, body: { json: body } },
    })
    const headers = { ...wait, 'x-request-id': 'req_1', 'x-ratelimit-remaining': '0' }
    const rejections = [rejected(401), rejected(400), rejected(429, headers), rejected(503)]
    real.entries.splice(real.entries.indexOf(second), 0, ...rejections)
    const replay = serve('tasks', { scenario: await parseRecording(real.text()) })
    const replays: unknown[] = []
    replay.sim.on('request.answered', ({ note }) => replays.push(note.replay))
    for (const _ of ['first', 'again']) {
      expect((await create(replay, 'waves')).id).toBe(tasks[0]?.id)
      const answer = await order(replay, 'waves')
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        429,
        '7',
        body,
      ])
      expect(answer.headers.get('x-request-id')).not.toBe('req_1')
      expect((await order(replay, 'waves')).status).toBe(503)
      expect((await create(replay, 'waves')).id).toBe(tasks[1]?.id)
      expect(replays.splice(0)).toEqual(['recorded', 'recorded', 'recorded', 'recorded'])
      await replay.sim.reset()
    }
  })

  it('gives clients that need another base URL that URL', async () => {
    const real = record('google', { scenario: SERVICE })
    const path = '/v1beta/models/veo-3.1-generate-preview:predictLongRunning'
    const session = async ({ sim, send }: Served, base: string) => {
      const headers = {
        'x-goog-api-key': 'k1',
        'user-agent': 'google-genai-sdk/1.0',
        'content-type': 'application/json',
      }
      const body = JSON.stringify({ instances: [{ prompt: 'waves' }] })
      const { name } = await (await send(base + path, { method: 'POST', headers, body })).json()
      await sim.clock.advance('10m')
      return unsigned(await (await send(`${base}/v1beta/${name}`, { headers })).text())
    }
    const recorded = await session(real, 'https://generativelanguage.googleapis.com')
    expect(recorded).toContain('https://generativelanguage.googleapis.com/v1beta/files/')
    const replay = serve('google', { scenario: await parseRecording(real.text()) })
    const { baseUrl, close } = await listen(replay.sim, { port: 0 })
    onTestFinished(() => close())
    const own = `${new URL(baseUrl).origin}/google`
    expect(await session({ ...replay, send: fetch }, own)).toBe(recorded)
  })

  it('gives the same answers again after a reset, and in a sandbox', async () => {
    const { real, tasks } = await recordedTasks('waves')
    const { sim, send } = serve('tasks', { scenario: await parseRecording(real.text()) })
    expect((await create({ send }, 'waves')).id).toBe(tasks[0]?.id)
    await sim.reset()
    expect((await create({ send }, 'waves')).id).toBe(tasks[0]?.id)
    const { key } = sim.createSandbox().identity
    const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
    const headers = { ...HEADERS, authorization: `Bearer ${key}` }
    const inSandbox = await send(URL_OF_TASKS, { method: 'POST', headers, body })
    expect(await inSandbox.json()).toMatchObject({ id: tasks[0]?.id })
  })

  it('serves output files at its own URLs: recorded files, or generated media', async () => {
    const { real, tasks } = await recordedTasks('waves')
    const [image = ''] = imagesOf(tasks[0])
    real.entries.push({
      type: 'file',
      at: START,
      url: image.replace(/\?.*/, ''),
      content_type: 'image/webp',
      base64: btoa('recorded'),
    })
    const replay = serve('tasks', { scenario: await parseRecording(real.text()), clock: 'manual' })
    const { id } = await create(replay, 'waves')
    await replay.sim.clock.advance('11s')
    const [url = ''] = imagesOf(await poll(replay, id))
    const file = await replay.send(url)
    expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([
      200,
      'image/webp',
      'recorded',
    ])
  })

  it('obeys directives of requests', async () => {
    const { real } = await recordedTasks('waves')
    const replay = serve('tasks', { scenario: await parseRecording(real.text()) })
    const headers = { ...HEADERS, 'x-sim': 'outcome=failed after=1s' }
    const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
    const { id } = await (await replay.send(URL_OF_TASKS, { method: 'POST', headers, body })).json()
    await replay.sim.clock.advance('2s')
    expect(await poll(replay, id)).toMatchObject({ status: 'failed' })
  })

  it('ends a task as learned whose client canceled it in the recording, unless the client cancels again', async () => {
    const real = record('tasks', { scenario: SERVICE })
    const cancel = async ({ send }: Pick<Served, 'send'>, id: string) =>
      unsigned(
        await (await send(`${URL_OF_TASKS}/${id}/cancel`, { method: 'POST', headers: HEADERS })).text(),
      )
    const { id } = await create(real, 'waves')
    await real.sim.clock.advance(1_500)
    await poll(real, id)
    const canceled = await cancel(real, id)
    const scenario = await parseRecording(real.text())
    const replay = serve('tasks', { scenario })
    await create(replay, 'waves')
    await replay.sim.clock.advance(1_500)
    expect(await cancel(replay, id)).toBe(canceled)
    await replay.sim.reset()
    await create(replay, 'waves')
    await replay.sim.clock.advance('10m')
    expect(await poll(replay, id)).toMatchObject({ status: 'succeeded' })
  })

  it('repeats the pieces of a stream at their times', async () => {
    const real = record('openai', { scenario: { ...SERVICE, defaults: { delay: '4s' } } })
    const body = JSON.stringify({ model: 'o3', input: 'Write.', stream: true, max_output_tokens: 40 })
    const read = async ({ sim, send }: Served) => {
      const response = await send('https://api.openai.com/v1/responses', {
        method: 'POST',
        headers: HEADERS,
        body,
      })
      const pieces: string[] = []
      const decoder = new TextDecoder()
      const reading = (async () => {
        for await (const piece of response.body ?? [])
          pieces.push(`${sim.clock.now()} ${unsigned(decoder.decode(piece))}`)
      })()
      for (let step = 0; step < 50; step++) {
        await sim.clock.advance(100)
        await new Promise((resolve) => setImmediate(resolve))
      }
      await reading
      return pieces
    }
    const recorded = await read(real)
    expect(recorded.length).toBeGreaterThan(5)
    const replay = serve('openai', { scenario: await parseRecording(real.text()), seed: 'other' })
    expect(await read(replay)).toEqual(recorded)
  })

  it('gives clients of a server the URLs of that server, in answers and in webhooks', async () => {
    const real = record('replicate', { scenario: SERVICE })
    const body = JSON.stringify({ input: { prompt: 'waves' }, webhook: HOOK })
    const path = '/v1/models/acme/image-1/predictions'
    const session = async (
      base: string,
      { sim }: Served,
      send: (url: string, init: RequestInit) => Promise<Response>,
    ) => {
      const texts: string[] = []
      const ask = async (to: string, init: object = {}) => {
        const response = await send(base + to, { headers: HEADERS, ...init })
        texts.push(await response.clone().text())
        return response.json()
      }
      const { id } = await ask(path, { method: 'POST', body })
      for (let step = 0; step < 12; step++) {
        await sim.clock.advance('1s')
        await ask(`/v1/predictions/${id}`)
      }
      return texts.map(unsigned)
    }
    const recorded = await session('https://api.replicate.com', real, real.send)
    const replay = serve('replicate', { scenario: await parseRecording(real.text()) })
    const { baseUrl, close } = await listen(replay.sim, { port: 0 })
    onTestFinished(() => close())
    const { origin } = new URL(baseUrl)
    const onServer = (text: string) =>
      text
        .replaceAll('https://replicate.delivery/files', `${origin}/files`)
        .replaceAll('https://api.replicate.com', `${origin}/replicate`)
    const shown = await session(`${origin}/replicate`, replay, fetch)
    expect(shown).toEqual(recorded.map(onServer))
    expect(replay.webhooks.map(unsigned)).toEqual(real.webhooks.map(unsigned).map(onServer))
    // The dialect of the recording is also at the root.
    expect((await fetch(`${origin}/v1/predictions`, { headers: HEADERS })).status).toBe(200)
  })
})
