import { Leonardo } from '@leonardo-ai/sdk'
import { ImageType } from '@leonardo-ai/sdk/sdk/models/operations/createimagetovideogeneration.js'
import { CreateTextToVideoGenerationMotionString } from '@leonardo-ai/sdk/sdk/models/operations/createtexttovideogeneration.js'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClient, download, type Open } from './describe-client.js'

const LEONARDO = {
  name: 'leonardo',
  baseUrl: 'https://cloud.leonardo.ai/api/rest/v1',
  path: '/leonardo/api/rest/v1',
}
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const client = new Leonardo({ serverURL: baseUrl, bearerAuth: 'leonardo-key' })
  const create = async (prompt: string) => {
    const { object } = await client.image.createGeneration({ prompt })
    return object?.sdGenerationJob?.generationId ?? ''
  }
  const read = async (id: string) => (await client.image.getGenerationById(id)).object?.generationsByPk
  return { ...service, baseUrl, client, create, read }
}

describeClient(LEONARDO, (open) => {
  it('creates pictures, polls them and downloads them', async () => {
    const { sim, client, read } = await start(open)
    const { object } = await client.image.createGeneration({
      prompt: 'a fox',
      numImages: 2,
      width: 512,
      height: 256,
    })
    const { generationId: id = '', apiCreditCost } = object?.sdGenerationJob ?? {}
    expect([id, apiCreditCost]).toEqual([expect.stringMatching(UUID), expect.any(Number)])
    expect(await read(id)).toMatchObject({
      id,
      status: 'PENDING',
      prompt: 'a fox',
      imageWidth: 512,
      imageHeight: 256,
      createdAt: '2026-01-01T00:00:00.000',
      generatedImages: [],
    })
    await sim.clock.advance('10s')
    const ended = await read(id)
    expect([ended?.status, ended?.generatedImages?.length]).toEqual(['COMPLETE', 2])
    expect(await download(ended?.generatedImages?.[1]?.url)).toContain('PNG')
    expect((await sim.tasks.get(id))?.media).toMatchObject({ width: 512, height: 256 })
  })

  it('makes four pictures of 1024 x 768 pixels by default', async () => {
    const { sim, create } = await start(open)
    const id = await create('a fox')
    expect((await sim.tasks.get(id))?.media).toMatchObject({ count: 4, width: 1_024, height: 768 })
  })

  it('creates videos from texts and pictures, whose URLs are those of motions', async () => {
    const { sim, client, read } = await start(open)
    const text = await client.motion.createTextToVideoGeneration({
      prompt: 'waves',
      duration: 4,
      resolution: CreateTextToVideoGenerationMotionString.Resolution1080,
    })
    const id = text.object?.motionVideoGenerationJob?.generationId ?? ''
    expect((await sim.tasks.get(id))?.media).toMatchObject({ kind: 'video', seconds: 4, height: 1_080 })
    const image = await client.motion.createImageToVideoGeneration({
      prompt: 'waves',
      imageId: 'b1',
      imageType: ImageType.Generated,
    })
    expect(image.object?.motionVideoGenerationJob?.generationId).toMatch(UUID)
    await sim.clock.advance('10s')
    const [shown] = (await read(id))?.generatedImages ?? []
    expect(await download(shown?.motionMp4URL ?? '')).toContain('ftyp')
  })

  it('says nothing about why a generation failed, and null for an unknown one', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, create, read } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const id = await create('a fox')
    await sim.clock.advance('10s')
    const failed = await read(id)
    expect(failed).toMatchObject({ status: 'FAILED', generatedImages: [] })
    expect(JSON.stringify(failed)).not.toContain('No.')
    expect(await read('00000000-0000-4000-8000-000000000001')).toBeNull()
  })

  it('lists generations by offset, and deletes them', async () => {
    const { client, create, read } = await start(open)
    const ids: unknown[] = []
    for (let count = 0; count < 3; count++) ids.unshift(await create('a fox'))
    const { object: self } = await client.user.getUserSelf()
    const user = self?.userDetails?.[0]?.user?.id ?? ''
    const pages = [
      await client.image.getGenerationsByUserId(user, 2),
      await client.image.getGenerationsByUserId(user, 2, 2),
    ]
    expect(pages.map(({ object }) => object?.generations?.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ])
    const removed = await client.image.deleteGenerationById(String(ids[0]))
    expect(removed.object?.deleteGenerationsByPk?.id).toBe(ids[0])
    expect(await read(String(ids[0]))).toBeNull()
  })

  it('posts the pictures to the URL of the account, with its token', async () => {
    const { url, received } = await startReceiver()
    const error = { code: 'generation_failed', message: 'No.' }
    const { sim, client, create } = await start(open, {
      rules: [{ when: { occurrence: 2 }, then: { outcome: 'failed', error } }],
      dialects: { leonardo: { secret: 'my-token' } },
      webhooks: { receivers: [url] },
    })
    const ids = [await create('a fox'), await create('a fox')]
    await client.motion.createTextToVideoGeneration({ prompt: 'waves' })
    await sim.clock.advance('10s')
    expect(
      received.map(({ json: { type, data } }) => [type, data.object.id, data.object.status]).sort(),
    ).toEqual(
      [
        ['image_generation.complete', ids[0], 'COMPLETE'],
        ['image_generation.complete', ids[1], 'FAILED'],
      ].sort(),
    )
    expect(received[0]?.headers['authorization']).toBe('Bearer my-token')
    const sent = received.find(({ json }) => json.data.object.status === 'COMPLETE')?.json
    expect(sent.data.object.images).toHaveLength(4)
  })

  it('throws errors with the status and the body, and retries if it is told to', async () => {
    const fault = {
      when: { operation: 'tasks.create' as const },
      then: [{ status: 429, retry_after: '7s' as const }],
    }
    const { sim, baseUrl, requests } = await start(open, {
      auth: { keys: ['leonardo-key'] },
      faults: [fault],
    })
    const stranger = new Leonardo({ serverURL: baseUrl, bearerAuth: 'another-key' })
    await expect(stranger.image.createGeneration({ prompt: 'a fox' })).rejects.toMatchObject({
      statusCode: 401,
      body: expect.stringContaining('"code":"access-denied"'),
    })
    const patient = new Leonardo({
      serverURL: baseUrl,
      bearerAuth: 'leonardo-key',
      retryConfig: {
        strategy: 'backoff',
        backoff: { initialInterval: 500, maxInterval: 60_000, exponent: 2, maxElapsedTime: 600_000 },
        retryConnectionErrors: true,
      },
    })
    const before = sim.clock.now()
    await patient.image.createGeneration({ prompt: 'a fox' })
    expect(requests.map(({ status }) => status).slice(-2)).toEqual([429, 200])
    expect(sim.clock.now() - before).toBeGreaterThanOrEqual(7_000)
  })
})
