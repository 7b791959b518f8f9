import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'key' }
const AUDIO = { audio_url: 'https://example.com/a.mp3' }

describeDialect('assemblyai', 'https://api.assemblyai.com', KEY, (open) => {
  it('transcribes, with captions as text', async () => {
    const { sim, get, post } = await open()
    const { body } = await post('/v2/transcript', { ...AUDIO, speech_models: ['universal-2'] })
    expect(body).toMatchObject({ ...AUDIO, status: 'processing', speech_model: 'universal-2', text: null })
    expect((await get(`/v2/transcript/${body.id}/srt`)).status).toBe(400)
    await sim.clock.advance('1m')
    const { body: done } = await get(`/v2/transcript/${body.id}`)
    expect(done).toMatchObject({ status: 'completed', text: expect.any(String), words: expect.any(Array) })
    expect((await get(`/v2/transcript/${body.id}/srt`)).body).toMatch(/^1\r?\n00:00:0/)
    expect((await get(`/v2/transcript/${body.id}/vtt`)).body).toMatch(/^WEBVTT/)
    expect(await post('/v2/transcript', {})).toMatchObject({
      status: 400,
      body: { error: 'The field `audio_url` is missing.' },
    })
  })

  it('keeps a file that is the body of a request, within the limits', async () => {
    const { sim, base, send } = await open({ keepBytes: '2MB' })
    const upload = (body: BodyInit, headers = {}) => send('/v2/upload', { method: 'POST', body, headers })
    const { status, body } = await upload('0123456789', { 'content-type': 'audio/mpeg' })
    expect([status, Object.keys(body)]).toEqual([200, ['upload_url']])
    const origin = base.replace(/\/assemblyai$/, '')
    expect(body.upload_url).toMatch(`${origin}/files/uploads/`)
    const [file] = (await sim.uploads()).list('key')
    expect(file).toMatchObject({ contentType: 'audio/mpeg', dialect: 'assemblyai', isComplete: true })
    expect(await upload('')).toMatchObject({ status: 400, body: { error: expect.stringMatching(/empty/) } })
    expect(await upload('x', { 'content-encoding': 'gzip' })).toMatchObject({ status: 415 })
    expect(await upload(new Uint8Array(3 * 1024 * 1024))).toMatchObject({ status: 503 })
    expect(sim.memory.transfers.bytes).toBe(0)
  })

  it('draws the same results for the same upload, wherever the server is', async () => {
    const idOf = async (time: string) => {
      const { sim, post, send } = await open()
      await sim.clock.advance(time as '1m')
      const { body } = await send('/v2/upload', { method: 'POST', body: 'sound' })
      return (await post('/v2/transcript', { audio_url: body.upload_url })).body.id
    }
    expect(await idOf('1m')).toBe(await idOf('1h'))
  })

  it('rejects a request without a key, and names no scheme, because the header has none', async () => {
    const { get } = await open({ scenario: { auth: { keys: ['another'] } } })
    const { status, headers, body } = await get('/v2/transcript')
    expect([status, headers.get('www-authenticate')]).toEqual([401, null])
    expect(body.error).toMatch(/key/)
  })

  it('links to the page with older transcripts', async () => {
    const { base, get, post, remove } = await open()
    const ids: string[] = []
    for (let made = 0; made < 3; made++) ids.unshift((await post('/v2/transcript', AUDIO)).body.id)
    const { body } = await get('/v2/transcript?limit=2')
    expect(body.page_details).toEqual({
      limit: 2,
      result_count: 2,
      current_url: `${base}/v2/transcript?limit=2`,
      prev_url: `${base}/v2/transcript?limit=2&before_id=${ids[1]}`,
      next_url: null,
    })
    const { body: older } = await get(body.page_details.prev_url.slice(base.length))
    expect(older.transcripts).toMatchObject([{ id: ids[2], created: '2026-01-01T00:00:00.000' }])
    expect(older.page_details.prev_url).toBeNull()
    expect((await remove(`/v2/transcript/${ids[0]}`)).body).toMatchObject({ text: 'Deleted by user.' })
  })

  it('sends the header that the client has chosen with the webhook', async () => {
    const { sim, post } = await open()
    const receiver = await startReceiver()
    const { body } = await post('/v2/transcript', {
      ...AUDIO,
      webhook_url: receiver.url,
      webhook_auth_header_name: 'X-Mine',
      webhook_auth_header_value: 'secret',
    })
    expect(body).toMatchObject({ webhook_auth: true, webhook_auth_header_name: 'X-Mine' })
    expect(JSON.stringify(body)).not.toContain('secret')
    await sim.clock.advance('1m')
    expect(receiver.received[0]?.headers['x-mine']).toBe('secret')
    expect(receiver.received[0]?.json).toEqual({ transcript_id: body.id, status: 'completed' })
  })

  it('retries a webhook until the receiver answers with a 4xx', async () => {
    const { sim, post } = await open()
    const receiver = await startReceiver((number, response) =>
      response.writeHead(number === 1 ? 503 : 400).end(),
    )
    await post('/v2/transcript', { ...AUDIO, webhook_url: receiver.url })
    await sim.clock.advance('1h')
    expect(receiver.received).toHaveLength(2)
  })
})
