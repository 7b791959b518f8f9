import Together from 'together-ai'
import { expect, it } from 'vitest'
import { describeClient, download, type Open } from './describe-client.js'

const TOGETHER = { name: 'together', baseUrl: 'https://api.together.ai/v1', path: '/together/v2' }
const VIDEO = { model: 'minimax/video-01-director', prompt: 'waves', seconds: '4' }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  return { ...service, baseUrl, client: new Together({ baseURL: baseUrl, apiKey: 'together-key' }) }
}

describeClient(TOGETHER, (open) => {
  it('creates a video, polls it and downloads it', async () => {
    const { sim, client } = await start(open)
    const { id, status } = await client.videos.create(VIDEO)
    expect(status).toBe('in_progress')
    await sim.clock.advance('10s')
    const ended = await client.videos.retrieve(id)
    expect(ended).toMatchObject({
      id,
      status: 'completed',
      seconds: '4',
      outputs: { cost: expect.any(Number) },
    })
    expect(await download(ended.outputs?.video_url)).toContain('ftyp')
  })

  it('reports a failure as a state, and retries after a 503, not after a 500', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, client, requests } = await start(open, {
      rules: [{ then: { outcome: 'failed', error } }],
      faults: [{ when: { operation: 'tasks.retrieve' }, then: [{ status: 503, retry_after: '2s' }, 500] }],
    })
    const { id } = await client.videos.create(VIDEO)
    await sim.clock.advance('10s')
    await expect(client.videos.retrieve(id)).rejects.toBeInstanceOf(Together.InternalServerError)
    expect(requests.map(({ status }) => status)).toEqual([200, 503, 500])
    expect(await client.videos.retrieve(id)).toMatchObject({ status: 'failed', error })
  })

  it('throws the errors that the client knows by their status', async () => {
    const { client, baseUrl } = await start(open, { auth: { keys: ['together-key'] } })
    const stranger = new Together({ baseURL: baseUrl, apiKey: 'another-key' })
    await expect(stranger.videos.create(VIDEO)).rejects.toBeInstanceOf(Together.AuthenticationError)
    await expect(client.videos.retrieve('none')).rejects.toBeInstanceOf(Together.NotFoundError)
    await expect(client.videos.create({} as typeof VIDEO)).rejects.toBeInstanceOf(Together.BadRequestError)
  })
})
