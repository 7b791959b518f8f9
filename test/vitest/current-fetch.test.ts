import { request } from 'node:https'
import { createReplicate } from '@ai-sdk/replicate'
import { createFalClient } from '@fal-ai/client'
import { GoogleGenAI } from '@google/genai'
import { OpenRouter } from '@openrouter/sdk'
import RunwayML from '@runwayml/sdk'
import { generateImage } from 'ai'
import { AssemblyAI } from 'assemblyai'
import LumaAI from 'lumaai'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import OpenAI from 'openai'
import Replicate from 'replicate'
import { afterAll, beforeAll, describe, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { expect, simTest, test } from '../../src/vitest/index.js'

const keptFetch = fetch
const openai = new OpenAI({ apiKey: 'k' })
const replicate = new Replicate({ auth: 'k' })
const fal = createFalClient({ credentials: 'k' })
const runway = new RunwayML({ apiKey: 'k' })
const luma = new LumaAI({ authToken: 'k' })
const google = new GoogleGenAI({ apiKey: 'k' })
const openrouter = new OpenRouter({ apiKey: 'k' })
const assemblyai = new AssemblyAI({ apiKey: 'k' })
const aiReplicate = createReplicate({ apiToken: 'k', fetch: keptFetch })

const PROMPT = { prompt: 'waves' }
const CLIENTS: readonly [dialect: string, client: string, create: () => Promise<unknown>][] = [
  ['openai', 'openai', () => openai.videos.create(PROMPT)],
  ['replicate', 'replicate', () => replicate.run('black-forest-labs/flux-schnell', { input: PROMPT })],
  ['fal', '@fal-ai/client', () => fal.subscribe('fal-ai/flux/dev', { input: PROMPT })],
  [
    'runway',
    '@runwayml/sdk',
    () => runway.textToVideo.create({ model: 'veo3.1', promptText: 'waves', ratio: '1280:720', duration: 8 }),
  ],
  ['luma', 'lumaai', () => luma.generations.create({ model: 'ray-2', ...PROMPT })],
  [
    'google',
    '@google/genai',
    () => google.interactions.create({ model: 'gemini-omni-1.2-flash', input: 'waves', background: true }),
  ],
  [
    'openrouter',
    '@openrouter/sdk',
    () =>
      openrouter.videoGeneration.generate({
        videoGenerationRequest: { model: 'google/veo-3.1', ...PROMPT },
      }),
  ],
  ['assemblyai', 'assemblyai', () => assemblyai.transcripts.submit({ audio: 'https://example.com/a.mp3' })],
  [
    'replicate',
    '@ai-sdk/replicate',
    () => generateImage({ model: aiReplicate.image('black-forest-labs/flux-schnell'), ...PROMPT }),
  ],
]

describe.each(CLIENTS)('a client of %s that was built before the test (%s)', (dialect, _, create) => {
  simTest({ dialect })('is intercepted', async ({ sim }) => {
    await create()
    expect(sim.counters.requests.size).toBeGreaterThan(0)
  })
})

const URL = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** The error of a request with `node:https`. */
const failureOf = (url: string) =>
  new Promise((resolve) => {
    request(url, { headers: HEADERS }, () => resolve(undefined))
      .on('error', resolve)
      .end()
  })

const BYPASS = { baseUrl: 'https://api.example.com/api/v1', onUnhandledRequest: 'bypass' } as const

describe('while and after a test with a simulator', { shuffle: false }, () => {
  test('`fetch` is the same function as before', async ({ sim }) => {
    expect(fetch).toBe(keptFetch)
    expect((await keptFetch(URL, { headers: HEADERS })).status).toBe(200)
    vi.spyOn(globalThis, 'fetch')
    expect((await fetch(URL, { headers: HEADERS })).status).toBe(200)
    expect(sim.counters.requests.size).toBeGreaterThan(0)
  })

  simTest(BYPASS)('a request that MSW passes on reaches the network', async ({ sim }) => {
    const served = createSimulator()
    const api = await listen(served, { port: 0 })
    onTestFinished(() => api.close())
    expect((await keptFetch(`${api.baseUrl}/tasks`, { headers: HEADERS })).status).toBe(200)
    expect([served, sim].map(({ counters }) => counters.requests.size)).toEqual([1, 0])
  })

  simTest(BYPASS)('another server of MSW can answer', async () => {
    const own = setupServer(http.get('https://own.example/', () => HttpResponse.text('own')))
    own.listen({ onUnhandledRequest: 'bypass' })
    onTestFinished(() => own.close())
    expect(await (await keptFetch('https://own.example/')).text()).toBe('own')
  })
})

describe('a server of MSW that was there before', () => {
  const own = setupServer(http.get('https://own.example/', () => HttpResponse.text('own')))

  beforeAll(() => own.listen({ onUnhandledRequest: 'bypass' }))
  afterAll(() => {
    own.close()
    // MSW 2.12 leaves its own function behind if two servers were there.
    globalThis.fetch = keptFetch
  })

  simTest(BYPASS)('lets the simulator answer', async () => {
    expect((await fetch(URL, { headers: HEADERS })).status).toBe(200)
  })
})

/** The parts of an error that clients look at. */
function described(error: unknown): object | undefined {
  if (!(error instanceof Error)) return undefined
  const { name, code, cause } = error as NodeJS.ErrnoException
  return { name, code, cause: described(cause) }
}

const failing = (fault: object | string) => ({ faults: [{ then: [fault as 'reset', fault as 'reset'] }] })
const readTasks = async (url: string) => (await fetch(url, { headers: HEADERS })).text()

describe.each(['reset', 'lost', 'cut'])('a connection that fails (%j)', (fault) => {
  simTest({ scenario: failing(fault), ...BYPASS })('fails with the error of Node', async () => {
    const served = createSimulator({ scenario: failing(fault) })
    const api = await listen(served, { port: 0 })
    onTestFinished(() => api.close())
    const [inProcess, overHttp] = await Promise.all(
      [URL, `${api.baseUrl}/tasks`].map((url) => readTasks(url).catch(described)),
    )
    expect(inProcess).toEqual(overHttp)
    expect(inProcess).toMatchObject({ name: 'TypeError' })
  })
})

simTest({ scenario: failing('reset') })(
  'clients get the messages of Node, also from `node:https`',
  async () => {
    await expect(fetch(URL, { headers: HEADERS })).rejects.toThrow('fetch failed')
    expect(await failureOf(URL)).toMatchObject({
      message: 'read ECONNRESET',
      code: 'ECONNRESET',
    })
  },
)
