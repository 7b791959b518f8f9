import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, GenerateVideosOperation, GoogleGenAI } from '@google/genai'
import { expect, it, onTestFinished } from 'vitest'
import { majorOf } from '../support/major-of.js'
import { describeClient, type Open } from './describe-client.js'

const GOOGLE = { name: 'google', baseUrl: 'https://generativelanguage.googleapis.com', path: '/google' }
const VEO = {
  model: 'veo-3.1-generate-preview',
  source: { prompt: 'Waves at the foot of a lighthouse.' },
}
const OMNI = 'gemini-omni-1.2-flash'
const MIB = 1024 * 1024

async function start(open: Open, ...scenario: Parameters<Open>) {
  const service = await open(...scenario)
  const ai = new GoogleGenAI({ apiKey: 'gemini-key', httpOptions: { baseUrl: service.baseUrl } })
  /** The loop of the README. */
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

/** A path in a folder of the test. */
async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tasksim-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'video.mp4')
}

/** The status and the error of a request that the client rejects. */
async function rejection(call: Promise<unknown>): Promise<{ status: number; error: unknown }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('The request was not rejected.')
  return { status: error.status, error: JSON.parse(error.message).error }
}

/** Client 3 rejects Veo with a key of the Gemini API. */
const veo = it.skipIf(majorOf('@google/genai') >= 3)

describeClient(GOOGLE, (open) => {
  veo('makes a video while the client polls, and lets it download the file', async () => {
    const { sim, ai, ended } = await start(open)
    const created = await ai.models.generateVideos({
      ...VEO,
      config: { numberOfVideos: 1, durationSeconds: 4, aspectRatio: '9:16', negativePrompt: 'people' },
    })
    expect(created.name).toMatch(/^models\/veo-3\.1-generate-preview\/operations\/[a-z0-9]{12}$/)
    expect(created.done).toBeUndefined()
    const { done, error, response } = await ended(created)
    expect({ done, error }).toEqual({ done: true, error: undefined })
    const video = response?.generatedVideos?.[0]?.video
    expect(video?.uri).toMatch(
      /^https:\/\/generativelanguage\.googleapis\.com\/v1beta\/files\/[a-z0-9]{12}:download\?alt=media$/,
    )
    const downloadPath = await newFile()
    await ai.files.download({ file: response?.generatedVideos?.[0] ?? '', downloadPath })
    const id = created.name?.split('/').at(-1) ?? ''
    const task = await sim.tasks.get(id)
    expect(task?.input).toMatchObject({ duration: 4, aspect_ratio: '9:16', negative_prompt: 'people' })
    const { bytes } = await sim.files.get(task as never, 0)
    // The client does not wait until it has written the file.
    await expect.poll(async () => (await readFile(downloadPath)).equals(bytes)).toBe(true)
    expect((await sim.verdict()).findings).toEqual([])
  })

  veo('continues with an operation of which only the name is known', async () => {
    const { ai, sim } = await start(open)
    const { name } = await ai.models.generateVideos(VEO)
    await sim.clock.advance('1m')
    const operation = Object.assign(new GenerateVideosOperation(), { name })
    expect((await ai.operations.getVideosOperation({ operation })).done).toBe(true)
  })

  veo('reports a failure and a filtered video in the operation', async () => {
    const { ai, ended } = await start(open)
    const make = (directive: string) =>
      ai.models.generateVideos({ ...VEO, source: { prompt: `Waves. [[sim ${directive}]]` } })
    const failed = await ended(await make('outcome=failed'))
    expect(failed.error).toEqual({ code: 13, message: expect.any(String) })
    expect(failed.response).toBeUndefined()
    const filtered = await ended(await make('outcome=failed error=content_policy message=Filtered.'))
    expect(filtered.error).toBeUndefined()
    expect(filtered.response).toMatchObject({
      raiMediaFilteredCount: 1,
      raiMediaFilteredReasons: ['Filtered.'],
    })
    expect(filtered.response?.generatedVideos).toBeUndefined()
  })

  it('uploads a file in parts, uses it as an input, and lists and deletes it', async () => {
    const { sim, ai, requests } = await start(open)
    const bytes = new Uint8Array(9 * MIB).fill(7)
    const file = await ai.files.upload({
      file: new Blob([bytes], { type: 'image/png' }),
      config: { mimeType: 'image/png', displayName: 'a lighthouse' },
    })
    expect(file).toMatchObject({
      name: expect.stringMatching(/^files\/[a-z0-9]+$/),
      displayName: 'a lighthouse',
      mimeType: 'image/png',
      sizeBytes: String(9 * MIB),
      state: 'ACTIVE',
      uri: expect.stringMatching(/^https:\/\/generativelanguage\.googleapis\.com\/v1(?:beta)?\/files\//),
    })
    expect(requests.map(({ operation }) => operation)).toEqual(Array(3).fill('files.upload'))
    const name = file.name ?? ''
    expect(await ai.files.get({ name })).toEqual(file)
    const listed: unknown[] = []
    for await (const each of await ai.files.list()) listed.push(each)
    expect(listed).toEqual([file])
    const video = { type: 'video' as const, uri: file.uri ?? '' }
    const { id } = await ai.interactions.create({ model: OMNI, input: [video], background: true })
    expect((await sim.tasks.get(id))?.input).toMatchObject({ messages: [{ content: [video] }] })
    await ai.files.delete({ name })
    expect(await rejection(ai.files.get({ name }))).toMatchObject({
      status: 403,
      error: { code: 403, status: 'PERMISSION_DENIED' },
    })
  })

  it('processes a video for some seconds, and keeps the name that the client has chosen', async () => {
    const { sim, ai } = await start(open)
    const upload = (name: string, type: string) => {
      return ai.files.upload({ file: new Blob([name], { type }), config: { name, mimeType: type } })
    }
    const { name = '', state } = await upload('my-clip', 'video/mp4')
    expect([name, state]).toEqual(['files/my-clip', 'PROCESSING'])
    await sim.clock.advance('4s')
    expect((await ai.files.get({ name })).state).toBe('PROCESSING')
    await sim.clock.advance('1s')
    expect((await ai.files.get({ name })).state).toBe('ACTIVE')
    expect(await rejection(upload('my-clip', 'image/png'))).toMatchObject({ status: 409 })
    expect(await rejection(upload('my clip', 'image/png'))).toMatchObject({ status: 400 })
    await ai.files.delete({ name })
    expect((await upload('my-clip', 'image/png')).state).toBe('ACTIVE')
  })

  it('lists files by page, and the models of videos', async () => {
    const { ai } = await start(open)
    const names: (string | undefined)[] = []
    for (const name of ['one', 'two', 'three'])
      names.unshift(
        (await ai.files.upload({ file: new Blob([name]), config: { mimeType: 'text/plain' } })).name,
      )
    const pager = await ai.files.list({ config: { pageSize: 2 } })
    expect([pager.page.length, pager.hasNextPage()]).toEqual([2, true])
    const listed: (string | undefined)[] = []
    for await (const { name } of pager) listed.push(name)
    expect(listed).toEqual(names)
    const models: (string | undefined)[] = []
    for await (const model of await ai.models.list()) {
      models.push(model.name)
      expect(await ai.models.get({ model: model.name ?? '' })).toMatchObject(model)
    }
    expect(models).toContain(`models/${VEO.model}`)
    expect((await ai.models.get({ model: VEO.model })).supportedActions).toEqual(['predictLongRunning'])
    expect(await rejection(ai.models.get({ model: 'veo-9' }))).toMatchObject({ status: 404 })
  })

  it('rejects requests as the service does', async () => {
    const { ai, baseUrl } = await start(open, {
      auth: { keys: [{ key: 'gemini-key' }] },
      api: { unknown_models: 'reject' },
      models: { 'veo-3.1-generate-preview': {} },
    })
    const other = new GoogleGenAI({ apiKey: 'other', httpOptions: { baseUrl } })
    expect(await rejection(other.files.list())).toMatchObject({
      status: 400,
      error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }, {}] },
    })
    const order = { model: 'gemini-9', input: 'Waves.', background: true } as const
    await expect(ai.interactions.create(order)).rejects.toMatchObject({ status: 404 })
    const missing = await fetch(`${baseUrl}/v1/files`)
    expect([missing.status, (await missing.json()).error.status]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await fetch(`${baseUrl}/v1/files?key=gemini-key`)).status).toBe(200)
  })

  veo('forgets the file of a video after two days', async () => {
    const { sim, ai, ended } = await start(open)
    const { response } = await ended(await ai.models.generateVideos(VEO))
    await sim.clock.advance('49h')
    const file = response?.generatedVideos?.[0] ?? ''
    const status = await ai.files.download({ file, downloadPath: await newFile() }).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : String(error)),
    )
    expect(status).toBe(403)
  })
})
