import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { NOT_NAMES, OF_CONNECTION, VALUES } from '../support/hostile-headers.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'key' }
const idsOf = ({ transcripts }: { transcripts: { id: string }[] }) => transcripts.map(({ id }) => id)
const AUDIO = { audio_url: 'https://example.com/a.mp3' }

describeDialect('assemblyai', 'https://api.assemblyai.com', KEY, (open) => {
  it('transcribes, with captions as text', async () => {
    const { sim, get, post } = await open()
    const { body } = await post('/v2/transcript', { ...AUDIO, speech_models: ['universal-2'] })
    expect(body).toMatchObject({ ...AUDIO, status: 'queued', speech_model: 'universal-2', text: null })
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

  it('links to the pages with older and with newer transcripts', async () => {
    const { base, get, post } = await open()
    const ids: string[] = []
    for (let made = 0; made < 5; made++) ids.unshift((await post('/v2/transcript', AUDIO)).body.id)
    const list = `${base}/v2/transcript?limit=2`
    const pages = async (url: string, link: string) => {
      const { body } = await get(url.slice(base.length))
      expect(body.page_details.current_url).toBe(url)
      return { url: body.page_details[link], details: body.page_details, ids: idsOf(body) }
    }
    const first = await pages(list, 'prev_url')
    const second = await pages(first.url, 'prev_url')
    const last = await pages(second.url, 'prev_url')
    expect([first.ids, second.ids, last.ids]).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    expect([first.details.next_url, second.details.next_url, last.url]).toEqual([
      null,
      `${list}&after_id=${ids[2]}`,
      null,
    ])
    expect([first.url, second.url]).toEqual([`${list}&before_id=${ids[1]}`, `${list}&before_id=${ids[3]}`])
    const back = await pages(last.details.next_url, 'next_url')
    expect([back.ids, back.url, back.details.prev_url]).toEqual([
      ids.slice(2, 4),
      `${list}&after_id=${ids[2]}`,
      `${list}&before_id=${ids[3]}`,
    ])
    expect((await pages(back.url, 'next_url')).url).toBeNull()
  })

  it('keeps the record of a deleted transcript, without its data', async () => {
    const { sim, get, post, remove } = await open()
    const { id } = (await post('/v2/transcript', { ...AUDIO, speaker_labels: true })).body
    await sim.clock.advance('1m')
    const erased = { id, status: 'completed', text: 'Deleted by user.', audio_url: 'http://deleted_by_user' }
    const { status, body } = await remove(`/v2/transcript/${id}`)
    expect([status, body]).toMatchObject([200, { ...erased, words: null, speaker_labels: true }])
    expect((await get(`/v2/transcript/${id}`)).body).toEqual(body)
    expect((await get(`/v2/transcript/${id}/srt`)).status).toBe(400)
    expect((await get('/v2/transcript')).body.transcripts).toMatchObject([
      { id, status: 'completed', audio_url: erased.audio_url, error: null },
    ])
    expect(await remove(`/v2/transcript/${id}`)).toMatchObject({ status: 200, body: erased })
  })

  it('lists the transcripts of a status, of a day, or those that wait', async () => {
    const { sim, get, post } = await open({ scenario: { capacity: { running: 1 } } })
    const make = async (prompt = '') =>
      (await post('/v2/transcript', { ...AUDIO, audio_url: `https://x.test/${prompt}.mp3` })).body.id
    const failed = await make('[[sim outcome=failed]]')
    const canceled = await make()
    await sim.tasks.cancel(canceled)
    await sim.clock.advance('1d')
    const running = await make()
    const waiting = await make()
    const listed = async (query: string) => idsOf((await get(`/v2/transcript?${query}`)).body)
    expect(await listed('status=error')).toEqual([canceled, failed])
    expect(await listed('status=completed')).toEqual([])
    expect(await listed('created_on=2026-01-02')).toEqual([waiting, running])
    expect(await listed('created_on=2026-01-01&status=error&limit=1')).toEqual([canceled])
    expect(await listed('throttled_only=true&status=error')).toEqual([waiting])
    expect(await listed('throttled_only=false&status=processing')).toEqual([running])
    const { body } = await get('/v2/transcript?created_on=2026-01-01')
    expect(body.page_details).toMatchObject({ result_count: 2, prev_url: null, next_url: null })
  })

  it.each([
    ['status=done', /`status`.+queued/],
    ['created_on=yesterday', /`created_on`.+2026-01-31/],
    ['throttled_only=1', /`throttled_only`/],
    ['after_id=x', /`after_id`/],
    ['before_id=x', /`before_id`/],
    ['before_id=x&after_id=x', /exclude each other/],
  ])('rejects a list with %s', async (query, message) => {
    const { get } = await open()
    expect(await get(`/v2/transcript?${query}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(message) },
    })
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

  it.each([...OF_CONNECTION, ...NOT_NAMES, 'Content-Type', 7])(
    'rejects the header %j, which a webhook cannot have',
    async (name) => {
      const { post } = await open()
      const { status, body } = await post('/v2/transcript', {
        ...AUDIO,
        webhook_url: 'http://127.0.0.1:9/hook',
        webhook_auth_header_name: name,
        webhook_auth_header_value: 'secret',
      })
      expect(status).toBe(400)
      expect(body.error).toMatch(/^The field `webhook_auth_header_name`/)
      expect(body.error).not.toContain('secret')
    },
  )

  it.each(VALUES.flatMap(([value, sent]) => (value === sent ? [] : [value])))(
    'rejects a value that a header cannot have',
    async (value) => {
      const { post } = await open()
      const { status, body } = await post('/v2/transcript', {
        ...AUDIO,
        webhook_url: 'http://127.0.0.1:9/hook',
        webhook_auth_header_name: 'X-Mine',
        webhook_auth_header_value: value,
      })
      expect(status).toBe(400)
      expect(body.error).toMatch(/^The field `webhook_auth_header_value` must be the value of a header/)
    },
  )

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
