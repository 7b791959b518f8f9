import LumaAI from 'lumaai'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClient, download, type Open } from './describe-client.js'

const LUMA = {
  name: 'luma',
  baseUrl: 'https://api.lumalabs.ai/dream-machine/v1',
  path: '/luma/dream-machine/v1',
}

const VIDEO = { model: 'ray-2', aspect_ratio: '16:9', prompt: 'a teddy bear with a guitar' } as const
const IMAGE = { model: 'photon-1', prompt: 'a lighthouse at dawn' } as const

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const client = new LumaAI({ baseURL: baseUrl, authToken: 'luma-key' })
  return { ...service, client, generations: client.generations }
}

describeClient(LUMA, (open) => {
  it('creates a video, polls it and downloads it', async () => {
    const { sim, generations } = await start(open)
    const created = await generations.create(VIDEO)
    expect(created).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/),
      state: 'dreaming',
      generation_type: 'video',
      model: 'ray-2',
      request: VIDEO,
      created_at: expect.stringMatching(/^2026-01-01T00:00:00/),
    })
    await sim.clock.advance('10s')
    const { state, assets } = await generations.get(created.id ?? '')
    expect(state).toBe('completed')
    expect(await download(assets?.video)).toContain('ftyp')
  })

  it('creates an image, whose kind is known from the path alone', async () => {
    const { sim, generations } = await start(open)
    const { id = '', generation_type } = await generations.image.create(IMAGE)
    await sim.clock.advance('10s')
    const { assets } = await generations.get(id)
    expect([generation_type, assets?.video]).toEqual(['image', undefined])
    expect(await download(assets?.image)).toContain('PNG')
  })

  it('waits for an image in the create request if it is synchronous', async () => {
    const { generations } = await start(open)
    const image = await generations.image.create({ ...IMAGE, sync: true })
    expect(image).toMatchObject({ state: 'completed', assets: { image: expect.any(String) } })
  })

  it('answers with the unfinished image when the timeout of a synchronous request has passed', async () => {
    const { sim, generations } = await start(open)
    const before = sim.clock.now()
    const request = { ...IMAGE, sync: true, sync_timeout: 4 }
    const { state } = await generations.image.create(request)
    expect([state, sim.clock.now() - before]).toEqual(['dreaming', 4_000])
    expect((await generations.image.create({ ...IMAGE, sync: false, sync_timeout: 4 })).state).toBe(
      'dreaming',
    )
  })

  it('reports a failure as a state with a reason', async () => {
    const error = { code: 'moderation', message: 'The prompt was rejected.' }
    const { sim, generations } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const { id = '' } = await generations.create(VIDEO)
    await sim.clock.advance('10s')
    const failed = await generations.get(id)
    expect(failed).toMatchObject({ state: 'failed', failure_reason: error.message })
    expect(failed.assets ?? {}).not.toHaveProperty('video')
  })

  it('lists generations by offset, newest first', async () => {
    const { generations } = await start(open)
    const ids: unknown[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await generations.create(VIDEO)).id)
    const pages = [await generations.list({ limit: 2 }), await generations.list({ limit: 2, offset: 2 })]
    expect(pages.map((page) => page.generations.map(({ id }) => id))).toEqual([ids.slice(0, 2), ids.slice(2)])
    expect(pages.map(({ has_more, count, limit, offset }) => [has_more, count, limit, offset])).toEqual([
      [true, 2, 2, 0],
      [false, 1, 2, 2],
    ])
  })

  it('deletes a generation, which is gone then', async () => {
    const { sim, generations } = await start(open)
    const { id = '' } = await generations.create(VIDEO)
    await sim.clock.advance('10s')
    await generations.delete(id)
    await expect(generations.get(id)).rejects.toBeInstanceOf(LumaAI.NotFoundError)
  })

  it('posts the generation to the callback URL when it starts and when it ends', async () => {
    const { url, received } = await startReceiver()
    const { sim, generations } = await start(open)
    const { id } = await generations.create({ ...VIDEO, callback_url: url })
    await sim.clock.advance('10s')
    expect(received.map(({ json }) => [json.id, json.state])).toEqual([
      [id, 'dreaming'],
      [id, 'completed'],
    ])
    expect(received[1]?.json).toMatchObject({
      request: { ...VIDEO, callback_url: url },
      assets: { video: expect.any(String) },
    })
  })

  it('throws the errors that the client knows by their status', async () => {
    const { generations, client } = await start(open, { auth: { keys: ['luma-key'] } })
    const stranger = new LumaAI({ baseURL: client.baseURL, authToken: 'another-key' })
    await expect(stranger.generations.create(VIDEO)).rejects.toBeInstanceOf(LumaAI.AuthenticationError)
    await expect(generations.get('0b0fdd34-5a3c-4c9c-8a7e-000000000000')).rejects.toMatchObject({
      status: 404,
      error: { detail: expect.any(String) },
    })
    await expect(generations.create({} as typeof VIDEO)).rejects.toBeInstanceOf(LumaAI.BadRequestError)
  })

  it('is retried by the client after a 429, when Retry-After allows it', async () => {
    const fault = {
      when: { operation: 'tasks.create' as const },
      then: [{ status: 429, retry_after: '7s' as const }],
    }
    const { sim, generations, requests } = await start(open, { faults: [fault] })
    const before = sim.clock.now()
    expect((await generations.create(VIDEO)).state).toBe('dreaming')
    expect(requests.map(({ status }) => status)).toEqual([429, expect.any(Number)])
    expect(sim.clock.now() - before).toBe(7_000)
  })

  it('rejects with a RateLimitError when the retries are used up', async () => {
    const { generations, requests } = await start(open, { faults: [{ then: 429 }] })
    await expect(generations.list()).rejects.toBeInstanceOf(LumaAI.RateLimitError)
    expect(requests).toHaveLength(3)
  })
})
