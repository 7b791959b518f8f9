import { expect, it, onTestFinished } from 'vitest'
import { createSimulator, type ScenarioInput } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { hostsFor } from '../support/deep.js'
import { HOSTS } from './matrix/any-client.js'

// The requests that the official Python clients send, as their source has them: replicate 1.0, fal-client, runpod 1.7,
// assemblyai 0.x. They differ from those of the JavaScript clients, with which the other tests work.

interface PythonClient {
  readonly sim: ReturnType<typeof createSimulator>
  call(method: string, path: string, init?: RequestInit): Promise<Answer>
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  readonly body: any
}

const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Runs a test on each host. @param authorization the header of the API key */
function python(
  dialect: string,
  authorization: string,
  title: string,
  run: (client: PythonClient) => Promise<void>,
  scenario: ScenarioInput = {},
): void {
  it.each(hostsFor(dialect, HOSTS))(`the Python client of ${dialect} ${title} ($name)`, async (host) => {
    const sim = createSimulator({ clock: 'manual', scenario: { defaults: { delay: '10s' }, ...scenario } })
    const served = await host.serve(sim, await sim.dialects.load(dialect))
    onTestFinished(async () => {
      sim.close()
      await served.close?.()
    })
    await run({
      sim,
      async call(method, path, init = {}) {
        const headers = { authorization, ...(init.headers as object) }
        const response = await advanceUntilDone(sim, served.send(path, { ...init, method, headers }))
        const text = await response.text()
        return {
          status: response.status,
          body: text === '' ? '' : JSON.parse(text),
        }
      },
    })
    expect((await sim.verdict()).findings).toEqual([])
  })
}

python(
  'replicate',
  'Bearer r8_key',
  'looks up a model and a version, and uploads a file with metadata',
  async (client) => {
    const { call } = client
    const model = (await call('GET', '/v1/models/acme/image-1')).body
    expect(model).toMatchObject({ owner: 'acme', name: 'image-1', latest_version: { id: 'hidden' } })
    const version = (await call('GET', '/v1/models/acme/image-1/versions/5c7d5dc6')).body
    expect(version).toMatchObject({
      id: '5c7d5dc6',
      created_at: expect.any(String),
      cog_version: expect.any(String),
    })
    expect(version.openapi_schema).toBeNull()
    expect((await call('GET', '/v1/models/acme/image-1/versions')).body.results).toHaveLength(1)
    const form = new FormData()
    form.append('content', new File(['a cat'], 'cat.png', { type: 'application/octet-stream' }))
    form.append('metadata', JSON.stringify({ owner: 'me' }))
    const file = await call('POST', '/v1/files', { body: form })
    expect([file.status, file.body.metadata, file.body.checksums.sha256.length]).toEqual([
      201,
      { owner: 'me' },
      64,
    ])
    const order = json({ version: '5c7d5dc6', input: { prompt: 'waves' } }, { prefer: 'wait' })
    const prediction = await call('POST', '/v1/predictions', order)
    expect([prediction.status, prediction.body.status, prediction.body.output.length]).toEqual([
      201,
      'succeeded',
      1,
    ])
  },
)

python(
  'fal',
  'Key fal-key',
  'reads logs and positions, uploads to the CDN, and learns of an error',
  async (client) => {
    const { call, sim } = client
    const token = (await call('POST', '/rest/storage/auth/token?storage_type=fal-cdn-v3', json({}))).body
    expect(token).toEqual({
      token: expect.any(String),
      token_type: expect.any(String),
      base_url: expect.stringMatching(/^https:/),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const upload = await call('POST', '/cdn/files/upload', {
      headers: {
        authorization: `${token.token_type} ${token.token}`,
        'content-type': 'image/png',
        'x-fal-file-name': 'cat.png',
      },
      body: 'a cat',
    })
    expect(upload.body.access_url).toMatch(/^https?:.*cat\.png/)
    const order = json({ image_url: upload.body.access_url, prompt: '[[sim outcome=failed]]' })
    const { request_id: id } = (await call('POST', '/queue/fal-ai/flux/dev', order)).body
    const status = `/queue/fal-ai/flux/requests/${id}/status?logs=true`
    const running = await call('GET', status)
    expect([running.status, running.body.status, Array.isArray(running.body.logs)]).toEqual([
      202,
      'IN_PROGRESS',
      true,
    ])
    await sim.clock.advance('10s')
    expect((await call('GET', status)).body).toMatchObject({
      status: 'COMPLETED',
      logs: expect.any(Array),
      metrics: { inference_time: expect.any(Number) },
      error: expect.any(String),
      error_type: expect.any(String),
    })
    const result = await call('GET', `/queue/fal-ai/flux/requests/${id}`)
    expect([result.status, result.body.detail[0].type]).toEqual([422, expect.any(String)])
  },
)

python(
  'fal',
  'Key fal-key',
  'learns its place in the queue',
  async ({ call, sim }) => {
    const order = json({ prompt: 'waves' })
    await call('POST', '/queue/fal-ai/flux/dev', order)
    const { request_id: id } = (await call('POST', '/queue/fal-ai/flux/dev', order)).body
    const waiting = (await call('GET', `/queue/fal-ai/flux/requests/${id}/status?logs=false`)).body
    expect(waiting).toMatchObject({ status: 'IN_QUEUE', queue_position: expect.any(Number) })
    await sim.clock.advance('1m')
  },
  { capacity: { running: 1 } },
)

python('runpod', 'Bearer rp_key', 'streams until an empty list follows the end', async ({ call, sim }) => {
  const { id } = (await call('POST', '/v2/chat-llm/run', json({ input: { prompt: 'Hello' } }))).body
  const pieces: unknown[] = []
  for (let count = 0; count < 100; count++) {
    await sim.clock.advance('1s')
    const before = sim.clock.now()
    const { body } = await call('GET', `/v2/chat-llm/stream/${id}`)
    // The client waits for ten seconds at most.
    expect(sim.clock.now() - before).toBeLessThan(10_000)
    for (const { output } of body.stream) pieces.push(output)
    if (body.status === 'COMPLETED' && body.stream.length === 0) break
    expect(count).toBeLessThan(99)
  }
  expect(pieces.length).toBeGreaterThan(3)
})

python(
  'assemblyai',
  'aai_key',
  'gets utterances of speakers, and the fields that it reads',
  async ({ call, sim }) => {
    const { upload_url: audio } = (await call('POST', '/v2/upload', { body: 'a sound' })).body
    const order = json({
      audio_url: audio,
      speaker_labels: true,
      language_code: 'en_us',
      speech_models: ['universal'],
    })
    const created = (await call('POST', '/v2/transcript', order)).body
    expect(created).toMatchObject({ status: 'queued', text: null, words: null, utterances: null })
    await sim.clock.advance('1m')
    const { body } = await call('GET', `/v2/transcript/${created.id}`)
    expect(body).toMatchObject({
      status: 'completed',
      text: expect.any(String),
      audio_duration: expect.any(Number),
    })
    expect(body.utterances[0]).toMatchObject({
      speaker: expect.any(String),
      start: expect.any(Number),
      end: expect.any(Number),
      confidence: expect.any(Number),
      text: expect.any(String),
      words: expect.any(Array),
    })
    expect(body.words[0]).toMatchObject({
      text: expect.any(String),
      start: expect.any(Number),
      speaker: expect.any(String),
    })
  },
)
