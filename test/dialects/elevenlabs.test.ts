import { expect, it } from 'vitest'
import { isInstalled } from '../support/installed-client.js'
import { describeClient, type Open } from './describe-client.js'

const PACKAGE: string = '@elevenlabs/elevenlabs-js'
const ELEVENLABS = { name: 'elevenlabs', baseUrl: 'https://api.elevenlabs.io', path: '/elevenlabs' }

interface Dub {
  readonly dubbingId: string
  readonly name: string
  readonly status: string
  readonly targetLanguages: readonly string[]
  readonly error?: string
}

/** What the tests use of the client, which is too large to be installed with the project. */
interface Client {
  readonly dubbing: {
    create(request: object): Promise<{ dubbingId: string; expectedDurationSec: number }>
    get(id: string): Promise<Dub>
    list(request: object): Promise<{ dubs: readonly Dub[]; hasMore: boolean; nextCursor?: string }>
    delete(id: string): Promise<{ status: string }>
    readonly audio: { get(id: string, language: string): Promise<ReadableStream> }
  }
  readonly textToSpeech: { convert(voice: string, request: object): Promise<ReadableStream> }
}
type Construct = new (options: { baseUrl: string; apiKey: string }) => Client

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const { ElevenLabsClient } = (await import(PACKAGE)) as { ElevenLabsClient: Construct }
  const client = new ElevenLabsClient({ baseUrl, apiKey: 'eleven-key' })
  return { ...service, baseUrl, ElevenLabsClient, client }
}

const DUB = { sourceUrl: 'https://example.com/talk.mp4', targetLang: 'es', name: 'Talk' }

const startOf = async (stream: ReadableStream) =>
  Buffer.from(await new Response(stream).arrayBuffer()).toString('latin1', 0, 3)

const ifInstalled = it.skipIf(!isInstalled(PACKAGE))

describeClient(ELEVENLABS, (open) => {
  ifInstalled('dubs a talk, polls it and downloads it', async () => {
    const { sim, client } = await start(open)
    const { dubbingId, expectedDurationSec } = await client.dubbing.create({ ...DUB, numSpeakers: 2 })
    expect(expectedDurationSec).toBe(5)
    expect(await client.dubbing.get(dubbingId)).toMatchObject({
      name: 'Talk',
      status: 'dubbing',
      targetLanguages: ['es'],
      createdAt: new Date('2026-01-01'),
    })
    await expect(client.dubbing.audio.get(dubbingId, 'es')).rejects.toMatchObject({
      name: 'TooEarlyError',
      statusCode: 425,
    })
    await sim.clock.advance('10s')
    expect((await client.dubbing.get(dubbingId)).status).toBe('dubbed')
    expect(await startOf(await client.dubbing.audio.get(dubbingId, 'es'))).toMatch(/^(?:ID3|\xff)/)
  })

  ifInstalled('sends a file as a form', async () => {
    const { sim, client } = await start(open)
    const file = new File(['meow'], 'talk.mp3', { type: 'audio/mpeg' })
    const { dubbingId } = await client.dubbing.create({ targetLang: 'es', file })
    expect(await sim.tasks.get(dubbingId)).toMatchObject({ input: { file: expect.any(String) } })
  })

  ifInstalled('reports why a dub failed, lists dubs by cursor and deletes them', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, client } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await client.dubbing.create(DUB)).dubbingId)
    await sim.clock.advance('10s')
    expect(await client.dubbing.get(ids[0] ?? '')).toMatchObject({ status: 'failed', error: 'No.' })
    const first = await client.dubbing.list({ pageSize: 2 })
    const second = await client.dubbing.list({ pageSize: 2, cursor: first.nextCursor })
    expect([first, second].map(({ dubs, hasMore }) => [dubs.map((dub) => dub.dubbingId), hasMore])).toEqual([
      [ids.slice(0, 2), true],
      [ids.slice(2), false],
    ])
    expect((await client.dubbing.delete(ids[0] ?? '')).status).toBe('ok')
    await expect(client.dubbing.get(ids[0] ?? '')).rejects.toMatchObject({ statusCode: 404 })
  })

  ifInstalled('gets speech in the answer', async () => {
    const { client } = await start(open, { defaults: { delay: '0s' } })
    const request = { text: 'Hello.', modelId: 'eleven_flash_v2_5', outputFormat: 'mp3_44100_128' }
    expect(await startOf(await client.textToSpeech.convert('rachel', request))).toMatch(/^(?:ID3|\xff)/)
  })

  ifInstalled('throws the errors that the client knows, and retries after a 429', async () => {
    const fault = {
      when: { operation: 'tasks.create' as const, nth: 1 },
      then: { status: 429, retry_after: '7s' as const },
    }
    const { sim, client, requests, baseUrl, ElevenLabsClient } = await start(open, {
      auth: { keys: ['eleven-key'] },
      faults: [fault],
    })
    const before = sim.clock.now()
    await client.dubbing.create(DUB)
    expect([requests.map(({ status }) => status), sim.clock.now() - before]).toEqual([[429, 200], 7_000])
    const stranger = new ElevenLabsClient({ baseUrl, apiKey: 'another-key' })
    await expect(stranger.dubbing.create(DUB)).rejects.toMatchObject({
      statusCode: 401,
      body: { detail: { code: 'invalid_api_key' } },
    })
  })
})
