import { expect, it } from 'vitest'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { 'xi-api-key': 'sk_live_local' }
const DUB = { source_url: 'https://example.com/talk.mp4', target_lang: 'es', name: 'Talk' }

describeDialect('elevenlabs', 'https://api.elevenlabs.io', KEY, (open) => {
  it('dubs a file, which is too early to download until it is ready', async () => {
    const { sim, base, get, request } = await open({ scenario: { defaults: { delay: '10s' } } })
    const form = new FormData()
    for (const [name, value] of Object.entries({ target_lang: 'es', name: 'Talk', dubbing_studio: 'true' }))
      form.set(name, value)
    form.set('file', new File(['meow'], 'talk.mp3', { type: 'audio/mpeg' }))
    const created = await request(`${base}/v1/dubbing`, { method: 'POST', headers: KEY, body: form })
    const { dubbing_id: id, ...more } = (await created.json()) as Record<string, unknown>
    expect(more).toEqual({ expected_duration_sec: 5 })
    expect((await get(`/v1/dubbing/${id}`)).body).toEqual({
      dubbing_id: id,
      name: 'Talk',
      status: 'dubbing',
      target_languages: ['es'],
      editable: true,
      created_at: '2026-01-01T00:00:00.000Z',
    })
    expect(await get(`/v1/dubbing/${id}/audio/es`)).toMatchObject({
      status: 425,
      body: { detail: { type: 'too_early', code: 'dubbing_not_ready', status: 'dubbing_not_ready' } },
    })
    await sim.clock.advance('10s')
    expect((await get(`/v1/dubbing/${id}`)).body).toMatchObject({
      status: 'dubbed',
      media_metadata: { content_type: 'audio/mpeg', duration: 5 },
    })
    const file = await request(`${base}/v1/dubbing/${id}/audio/es`, { headers: KEY })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  })

  it('says why a dub failed, and lists and deletes dubs, but no speech', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const { sim, get, post, remove } = await open({
      scenario: { rules: [{ then: { outcome: 'failed', error } }] },
    })
    const { body } = await post('/v1/dubbing', DUB)
    const other = await post('/v1/dubbing', DUB)
    await sim.clock.advance('5m')
    expect((await get(`/v1/dubbing/${body.dubbing_id}`)).body).toMatchObject({
      status: 'failed',
      error: 'No.',
    })
    const { body: page } = await get('/v1/dubbing?page_size=1&dubbing_status=failed')
    expect(page).toMatchObject({ dubs: [{ dubbing_id: other.body.dubbing_id }], has_more: true })
    expect((await get(`/v1/dubbing?cursor=${page.next_cursor}`)).body).toMatchObject({
      dubs: [{ dubbing_id: body.dubbing_id }],
      next_cursor: null,
      has_more: false,
    })
    expect(await remove(`/v1/dubbing/${body.dubbing_id}`)).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
    expect((await get(`/v1/dubbing/${body.dubbing_id}`)).status).toBe(404)
  })

  it.each([
    ['/v1/text-to-speech/rachel', 'audio/mpeg'],
    ['/v1/text-to-speech/rachel?output_format=mp3_44100_128', 'audio/mpeg'],
    ['/v1/text-to-speech/rachel/stream?output_format=wav_44100', 'audio/wav'],
  ])('answers %s with a sound', async (path, type) => {
    const { sim, base, request } = await open()
    const body = JSON.stringify({ text: 'Hello.', model_id: 'eleven_flash_v2_5', duration: 60 })
    const headers = { ...KEY, 'content-type': 'application/json' }
    const answer = await advanceUntilDone(sim, request(base + path, { method: 'POST', headers, body }))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    const [task] = (await sim.tasks.list({ limit: 1 }))?.tasks ?? []
    expect(task).toMatchObject({
      model: 'eleven_flash_v2_5',
      input: { prompt: 'Hello.', voice_id: 'rachel' },
      // The service has no field for the length.
      media: { seconds: 5 },
    })
  })

  it.each([
    ['content_policy', 400],
    ['generation_failed', 500],
  ])('a speech that fails with %s is a %i', async (code, status) => {
    const error = { code, message: 'No.' }
    const { sim, post } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const speech = post('/v1/text-to-speech/rachel', { text: 'Hello.' })
    expect(await advanceUntilDone(sim, speech)).toMatchObject({
      status,
      body: { detail: { code, status: code, message: 'No.' } },
    })
  })

  it('rejects requests in its own form', async () => {
    const { get, post } = await open({ scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } } })
    expect(await post('/v1/text-to-speech/rachel', {})).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'text'], msg: expect.any(String), type: 'value_error' }] },
    })
    expect(await post('/v1/dubbing', DUB)).toMatchObject({
      status: 401,
      body: { detail: { type: 'authentication_error', code: 'quota_exceeded', status: 'quota_exceeded' } },
    })
    expect((await get('/v1/dubbing?page_size=none')).body.detail).toMatchObject({
      type: 'validation_error',
      param: 'page_size',
    })
    expect(await get('/v1/dubbing/none')).toMatchObject({
      status: 404,
      body: { detail: { type: 'not_found', code: 'dubbing_not_found', request_id: expect.any(String) } },
    })
    const strict = await open({ scenario: { auth: { keys: ['another-key'] } } })
    expect(await strict.get('/v1/dubbing')).toMatchObject({
      status: 401,
      body: { detail: { code: 'invalid_api_key' } },
    })
  })
})
