import { expect, it, vi } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const ORIGIN = 'https://generativelanguage.googleapis.com'
const KEY = { 'x-goog-api-key': 'gemini-key' }
const VIDEO = { instances: [{ prompt: 'waves' }] }
const VEO = '/v1beta/models/veo-3.1-generate-preview:predictLongRunning'
const START = {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': 'start',
    'x-goog-upload-header-content-length': '10',
    'x-goog-upload-header-content-type': 'image/png',
  },
  body: JSON.stringify({ file: { display_name: 'a lighthouse' } }),
}

/** A request with a part of a file. */
function part(command: string, offset?: number, body?: string): RequestInit {
  return {
    method: 'POST',
    headers: {
      'x-goog-upload-command': command,
      ...(offset !== undefined && { 'x-goog-upload-offset': String(offset) }),
    },
    ...(body !== undefined && { body }),
  }
}

/** A request with a part of a file, the end of which arrives when the test says so. */
function slowPart(command: string, offset: number, body: string) {
  let arrive = () => {}
  const bytes = new TextEncoder().encode(body)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // Node's fetch sends the headers with the first bytes.
      controller.enqueue(bytes.slice(0, 1))
      arrive = () => {
        controller.enqueue(bytes.slice(1))
        controller.close()
      }
    },
  })
  return { init: { ...part(command, offset), body: stream, duplex: 'half' } as RequestInit, arrive }
}

describeDialect('google', ORIGIN, KEY, (open) => {
  it('makes as many videos as a request asks for', async () => {
    const { sim, get, post, send } = await open({ clock: 'manual' })
    const { name } = (await post(VEO, { ...VIDEO, parameters: { sampleCount: 4 } })).body
    await sim.clock.advance('10m')
    const { generatedSamples } = (await get(`/v1beta/${name}`)).body.response.generateVideoResponse
    const uris = generatedSamples.map(({ video }: { video: { uri: string } }) => video.uri)
    expect(new Set(uris).size).toBe(4)
    for (const uri of uris) expect((await send(uri, { headers: KEY })).status).toBe(200)
  })

  it('gives each client a URL of the video that it can download', async () => {
    const { sim, base, get, post, send, request } = await open({ clock: 'manual' })
    const path = `/v1/${(await post(VEO, VIDEO)).body.name}`
    await sim.clock.advance('10m')
    const uriFor = (body: {
      response: { generateVideoResponse: { generatedSamples: { video: { uri: string } }[] } }
    }) => body.response.generateVideoResponse.generatedSamples[0]?.video.uri ?? ''
    const official = await send(path, { headers: { 'user-agent': 'google-genai-sdk/2.32.0 gl-node/v20' } })
    expect(uriFor(official.body)).toMatch(`${ORIGIN}/v1beta/files/`)
    const uri = uriFor((await get(path)).body)
    expect(uri).toMatch(`${base}/v1beta/files/`)
    const file = await request(`${uri}&key=gemini-key`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect((await request(uri)).status).toBe(403)
    expect(uriFor((await send(path, { headers: { 'user-agent': 'google-genai-sdk/2' } })).body)).toMatch(
      ORIGIN,
    )
  })

  it('receives a file in parts, which need no header with the key', async () => {
    const { base, get, send, request } = await open()
    const started = await send('/upload/v1beta/files', START)
    expect(started.headers.get('x-goog-upload-status')).toBe('active')
    const url = started.headers.get('x-goog-upload-url') ?? ''
    expect(url).toMatch(`${base}/upload/v1beta/files?upload_id=`)
    const statusOf = async (init: RequestInit) => {
      const { status, headers } = await request(url, init)
      return [status, headers.get('x-goog-upload-status'), headers.get('x-goog-upload-size-received')]
    }
    expect(await statusOf(part('query'))).toEqual([200, 'active', '0'])
    expect(await statusOf(part('upload', 0, 'waves'))).toEqual([200, 'active', '5'])
    expect((await get('/v1beta/files')).body).toEqual({ files: [] })
    expect(await statusOf(part('upload', 0, 'again'))).toEqual([400, null, null])
    expect(await statusOf(part('query'))).toEqual([200, 'active', '5'])
    expect(await statusOf(part('jump'))).toEqual([400, null, null])
    const last = await request(url, part('upload, finalize', 5, ' roar'))
    expect(last.headers.get('x-goog-upload-status')).toBe('final')
    const { file } = (await last.json()) as { file: { name: string } }
    expect(file).toMatchObject({ displayName: 'a lighthouse', mimeType: 'image/png', sizeBytes: '10' })
    expect((await get(`/v1/${file.name}`)).body).toEqual(file)
    expect(await statusOf(part('query'))).toEqual([200, 'final', '10'])
    expect((await statusOf(part('upload', 10, 'more')))[0]).toBe(409)
  })

  it.each([
    ['another part has arrived', part('upload', 0, 'wind'), 400, 200, '4'],
    ['the upload is complete', part('upload, finalize', 0, 'wind'), 409, 200, '4'],
    ['the upload is canceled', part('cancel'), 404, 403, null],
  ])('rejects a part if %s while it arrives', async (_, meanwhile, rejected, status, size) => {
    const { sim, request, send } = await open()
    const started = await send('/upload/v1beta/files', START)
    const url = started.headers.get('x-goog-upload-url') ?? ''
    const found = vi.spyOn(await sim.uploads(), 'get')
    const slow = slowPart('upload', 0, 'waves')
    const answer = request(url, slow.init)
    await expect.poll(() => found.mock.calls.length).toBe(1)
    expect((await request(url, meanwhile)).status).toBe(200)
    slow.arrive()
    expect((await answer).status).toBe(rejected)
    const state = await request(url, part('query'))
    expect([state.status, state.headers.get('x-goog-upload-size-received')]).toEqual([status, size])
  })

  it('cancels an upload, and rejects a file that is too large before it arrives', async () => {
    const { request, send } = await open()
    const started = await send('/upload/v1beta/files', START)
    const url = started.headers.get('x-goog-upload-url') ?? ''
    expect((await request(url, part('cancel'))).headers.get('x-goog-upload-status')).toBe('cancelled')
    expect((await request(url, part('upload', 0, 'waves'))).status).toBe(403)
    const headers = { ...START.headers, 'x-goog-upload-header-content-length': '60000000' }
    expect(await send('/upload/v1beta/files', { ...START, headers })).toMatchObject({
      status: 413,
      body: { error: { status: 'INVALID_ARGUMENT' } },
    })
    expect((await send('/upload/v1beta/files', { method: 'POST' })).status).toBe(400)
  })

  it('shows how a task has ended in the fields of its operation', async () => {
    const { sim, get, post } = await open({ clock: 'manual' })
    const ended = async (directive: string) => {
      const { name } = (await post(VEO, { instances: [{ prompt: `waves [[sim ${directive}]]` }] })).body
      await sim.clock.advance('10m')
      return (await get(`/v1beta/${name}`)).body
    }
    expect((await ended('outcome=failed error=timeout')).error.code).toBe(4)
    expect((await ended('outcome=failed error=8')).error.code).toBe(8)
    expect(await ended('outcome=canceled')).toMatchObject({ done: true, error: { code: 1 } })
    expect(await ended('outcome=failed error=content_policy')).toMatchObject({
      done: true,
      response: { generateVideoResponse: { raiMediaFilteredCount: 1 } },
    })
  })

  it('reads the state of an operation in a faulty answer', async () => {
    const { sim, get, post } = await open({
      clock: 'manual',
      scenario: {
        faults: [{ when: { operation: 'tasks.retrieve' }, then: { headers: { 'x-odd': 'yes' } } }],
      },
    })
    const { name } = (await post(VEO, { instances: [{ prompt: 'waves [[sim outcome=failed]]' }] })).body
    const observed = async () => {
      await get(`/v1beta/${name}`)
      const entry = sim.journal.entries().findLast(({ type }) => type === 'request')
      return entry?.type === 'request' ? entry.request.note.observed : undefined
    }
    const id = name.split('/').at(-1)
    expect(await observed()).toEqual([{ id, status: 'processing' }])
    await sim.clock.advance('10m')
    expect(await observed()).toEqual([{ id, status: 'failed' }])
  })
})
