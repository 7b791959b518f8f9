import { expect, it } from 'vitest'
import { isInstalled } from '../../support/installed-client.js'
import { describeClient, download, type Open } from '../describe-client.js'

const CORE: string = '@tanstack/ai'
const ADAPTER: string = '@tanstack/ai-fal'
const FAL = { name: 'fal', client: ADAPTER, baseUrl: 'https://queue.fal.run', path: '/fal/proxy' }

interface Usage {
  readonly unitsBilled: number
}

/** What the tests use of the functions, which `npm run test:matrix` installs. */
interface Core {
  generateImage(order: object): Promise<{ images: readonly { url: string }[]; usage?: Usage }>
  generateSpeech(order: object): Promise<{ audio: string }>
  generateAudio(order: object): Promise<{ audio: { url: string } }>
  generateTranscription(order: object): Promise<{ text: string }>
  generateVideo(order: object): AsyncIterable<Chunk> & Promise<{ jobId: string }>
  getVideoJobStatus(order: object): Promise<{ status: string; url?: string; error?: string }>
}

interface Chunk {
  readonly type: string
  readonly name?: string
  readonly value?: { readonly url?: string; readonly usage?: Usage }
}

interface Adapters {
  falImage(model: string, config: object): object
  falSpeech(model: string, config: object): object
  falAudio(model: string, config: object): object
  falTranscription(model: string, config: object): object
  falVideo(model: string, config: object): object
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const isReal = baseUrl === FAL.baseUrl
  const config = { apiKey: 'any-key', ...(!isReal && { proxyUrl: { url: baseUrl, when: 'always' } }) }
  const core = (await import(CORE)) as Core
  const adapters = (await import(ADAPTER)) as Adapters
  return { ...service, ...core, ...adapters, config }
}

const ifInstalled = it.skipIf(!isInstalled(ADAPTER))

describeClient(FAL, (open) => {
  ifInstalled('generates an image, and shows the units that fal bills', async () => {
    const { sim, generateImage, falImage, config } = await start(open)
    const adapter = falImage('fal-ai/flux/dev', config)
    const { images, usage } = await generateImage({ adapter, prompt: 'a fox', numberOfImages: 2 })
    expect(images).toHaveLength(2)
    expect(await download(images[0]?.url)).toMatch(/PNG|JFIF|WEBP/)
    expect(usage?.unitsBilled).toBe(1)
    expect(await sim.findings()).toEqual([])
  })

  ifInstalled('generates a sound', async () => {
    const { generateAudio, falAudio, config } = await start(open)
    const { audio } = await generateAudio({
      adapter: falAudio('fal-ai/stable-audio', config),
      prompt: 'a fox',
    })
    expect(await download(audio.url)).toMatch(/^(?:ID3|RIFF|ÿû)/)
  })

  ifInstalled('generates speech', async () => {
    const { generateSpeech, falSpeech, config } = await start(open)
    const adapter = falSpeech('fal-ai/minimax/speech-02-hd', config)
    const { audio } = await generateSpeech({ adapter, text: 'a fox' })
    expect(Buffer.from(audio, 'base64').toString('latin1', 0, 4)).toMatch(/^(?:ID3|RIFF|ÿû)/)
  })

  ifInstalled('transcribes a sound that it uploads', async () => {
    const { generateTranscription, falTranscription, config } = await start(open)
    const adapter = falTranscription('fal-ai/wizper', config)
    const audio = new Blob([new Uint8Array(64)], { type: 'audio/mpeg' })
    expect((await generateTranscription({ adapter, audio })).text).toMatch(/\w+ \w+/)
  })

  ifInstalled('streams the life of a video to its URL', async () => {
    const { sim, requests, generateVideo, falVideo, config } = await start(open)
    const adapter = falVideo('fal-ai/luma-dream-machine/ray-2', config)
    const chunks: Chunk[] = []
    for await (const chunk of generateVideo({ adapter, prompt: 'a fox', stream: true })) chunks.push(chunk)
    expect(chunks.map(({ type, name = type }) => name)).toEqual([
      'RUN_STARTED',
      'video:job:created',
      ...Array(5).fill('video:status'),
      'generation:result',
      'RUN_FINISHED',
    ])
    const { value } = chunks.find(({ name }) => name === 'generation:result') ?? expect.unreachable()
    expect(await download(value?.url)).toContain('ftyp')
    expect(value?.usage?.unitsBilled).toBe(1)
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve')).toHaveLength(5)
    expect(await sim.findings()).toEqual([])
  })

  ifInstalled('polls a video', async () => {
    const { sim, generateVideo, getVideoJobStatus, falVideo, config } = await start(open)
    const adapter = falVideo('fal-ai/luma-dream-machine/ray-2', config)
    const { jobId } = await generateVideo({ adapter, prompt: 'a fox' })
    expect((await getVideoJobStatus({ adapter, jobId })).status).toBe('processing')
    await sim.clock.advance('10s')
    const { status, url } = await getVideoJobStatus({ adapter, jobId })
    expect(status).toBe('completed')
    expect(await download(url)).toContain('ftyp')
  })

  ifInstalled('says why a video failed', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, generateVideo, getVideoJobStatus, falVideo, config } = await start(open, {
      rules: [{ then: { outcome: 'failed', error } }],
    })
    const adapter = falVideo('fal-ai/luma-dream-machine/ray-2', config)
    const { jobId } = await generateVideo({ adapter, prompt: 'a fox' })
    await sim.clock.advance('10s')
    expect(await getVideoJobStatus({ adapter, jobId })).toMatchObject({
      status: 'failed',
      error: 'Video generation failed: body: No.',
    })
  })
})
