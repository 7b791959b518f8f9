import { GenerateVideosOperation, GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { describeClient, type Open } from './describe-client.js'

const VERTEX = { name: 'vertex', baseUrl: 'https://aiplatform.googleapis.com', path: '/vertex' }
const VEO = { model: 'veo-3.1-generate-001', source: { prompt: 'Waves at the foot of a lighthouse.' } }
const NAME =
  /^projects\/local\/locations\/us-central1\/publishers\/google\/models\/veo-3\.1-generate-001\/operations\/[0-9a-f-]{36}$/

async function start(open: Open, ...scenario: Parameters<Open>) {
  const service = await open(...scenario)
  const { baseUrl } = service
  const ai = new GoogleGenAI({ vertexai: true, apiKey: 'any-key', httpOptions: { baseUrl } })
  const ended = async (operation: GenerateVideosOperation) => {
    let current = operation
    while (!current.done) {
      await service.sim.clock.advance('10s')
      current = await ai.operations.getVideosOperation({ operation: current })
    }
    return current
  }
  return { ...service, ai, ended }
}

const bytesOf = (video: { videoBytes?: string } | undefined) =>
  Buffer.from(video?.videoBytes ?? '', 'base64').toString('latin1', 0, 12)

describeClient(VERTEX, (open) => {
  it('makes videos while the client polls, and answers with their bytes', async () => {
    const { sim, ai, ended } = await start(open)
    const config = { numberOfVideos: 2, durationSeconds: 4, aspectRatio: '9:16', resolution: '1080p' }
    const created = await ai.models.generateVideos({ ...VEO, config })
    expect(created.name).toMatch(NAME)
    expect(created.done).toBeUndefined()
    const { done, error, response } = await ended(created)
    expect({ done, error }).toEqual({ done: true, error: undefined })
    const videos = response?.generatedVideos?.map(({ video }) => video) ?? []
    expect(videos.map(bytesOf)).toEqual([expect.stringContaining('ftyp'), expect.stringContaining('ftyp')])
    expect(videos[0]).toMatchObject({ mimeType: 'video/mp4' })
    expect(videos[0]?.uri).toBeUndefined()
    const { media } = (await sim.tasks.get(created.name?.split('/').at(-1) ?? '')) ?? {}
    expect(media).toMatchObject({ width: 1080, height: 1920, seconds: 4, count: 2, sound: true })
    expect((await sim.verdict()).findings).toEqual([])
  })

  it('puts the videos into a bucket, of an operation of which only the name is known', async () => {
    const { ai, sim } = await start(open)
    const config = { outputGcsUri: 'gs://acme/videos', generateAudio: false }
    const { name } = await ai.models.generateVideos({ ...VEO, config })
    await sim.clock.advance('1m')
    const operation = Object.assign(new GenerateVideosOperation(), { name })
    const { response } = await ai.operations.getVideosOperation({ operation })
    const id = name?.split('/').at(-1) ?? ''
    expect(response?.generatedVideos).toEqual([
      { video: { uri: `gs://acme/videos/${id}/sample_0.mp4`, mimeType: 'video/mp4' } },
    ])
    expect((await sim.tasks.get(id))?.media).toMatchObject({ sound: false })
    expect((await sim.verdict({ final: true })).findings).toEqual([])
  })

  it('reports a failure and a filtered video in the operation', async () => {
    const { ai, ended } = await start(open)
    const make = (directive: string) =>
      ai.models.generateVideos({ ...VEO, source: { prompt: `Waves. [[sim ${directive}]]` } })
    const failed = await ended(await make('outcome=failed error=timeout'))
    expect(failed.error).toEqual({ code: 4, message: expect.any(String) })
    const filtered = await ended(await make('outcome=failed error=content_policy message=Filtered.'))
    expect(filtered.error).toBeUndefined()
    expect(filtered.response).toMatchObject({
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: ['Filtered.'],
    })
  })

  it('serves the paths of a project, whose operations have its name', async () => {
    const { baseUrl, sim } = await start(open)
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'any-key' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${baseUrl}/v1/${path}`, init)
      return { status: response.status, body: Object(await response.json()) }
    }
    const model = 'projects/acme/locations/europe-west4/publishers/google/models/veo-3.1-generate-001'
    const created = await post(`${model}:predictLongRunning`, { instances: [{ prompt: 'Waves.' }] })
    const { name } = created.body
    expect(name).toMatch(new RegExp(`^${model}/operations/`))
    expect((await post(`${model}:fetchPredictOperation`, { operationName: name })).body).toEqual({ name })
    await sim.clock.advance('1m')
    const ended = await post(`${model}:fetchPredictOperation`, { operationName: name })
    expect(ended.body).toMatchObject({ name, done: true, response: { raiMediaFilteredCount: 0 } })
    const unknown = await post(`${model}:fetchPredictOperation`, { operationName: `${name}0` })
    expect([unknown.status, unknown.body.error.status]).toEqual([404, 'NOT_FOUND'])
    expect((await post(`${model}:predictLongRunning`, {})).status).toBe(400)
  })
})
