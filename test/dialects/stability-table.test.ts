import { expect, it } from 'vitest'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer sk_live_local' }
const PATH = '/v2beta/stable-image/upscale/creative'

/** The form that clients send. */
function upscale(fields: Readonly<Record<string, string>> = { prompt: 'a cat' }): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new File(['meow'], 'cat.png', { type: 'image/png' }))
  return form
}

describeDialect('stability', 'https://api.stability.ai', KEY, (open) => {
  it.each([
    ['image/*', 'jpeg'],
    ['*/*', 'webp'],
    [undefined, undefined],
  ])(
    'answers 202 until the picture is ready, and then with the picture for Accept: %s',
    async (accept, format) => {
      const { sim, base, send, request } = await open({ scenario: { defaults: { delay: '10s' } } })
      const fields = { prompt: 'a cat', ...(format && { output_format: format }) }
      const created = await send(PATH, { method: 'POST', body: upscale(fields) })
      expect([created.status, created.body]).toEqual([200, { id: expect.stringMatching(/^[0-9a-f]{64}$/) }])
      const { id } = created.body
      const headers = { ...KEY, ...(accept && { accept }) }
      const poll = () => request(`${base}${PATH}/result/${id}`, { headers })
      const early = await poll()
      expect([early.status, await early.json()]).toEqual([202, { id, status: 'in-progress' }])
      await sim.clock.advance('10s')
      const { status, headers: got } = await poll()
      expect([status, got.get('content-type')]).toEqual([200, `image/${format ?? 'png'}`])
      const shared = await request(`${base}/v2beta/results/${id}`, { headers })
      expect([shared.status, shared.headers.get('content-type')]).toEqual([200, `image/${format ?? 'png'}`])
      const { findings } = await sim.verdict({ final: true })
      expect(findings).toEqual([])
    },
  )

  it('answers with the picture in base64 to a client that accepts JSON', async () => {
    const { sim, base, send, request } = await open()
    const { id } = (await send(PATH, { method: 'POST', body: upscale({ prompt: 'a cat', seed: '7' }) })).body
    await sim.clock.advance('5m')
    const url = `${PATH}/result/${id}`
    const { status, body } = await send(url, { headers: { accept: 'application/json' } })
    expect([status, body]).toEqual([200, { image: expect.any(String), finish_reason: 'SUCCESS', seed: 7 }])
    const picture = await request(base + url, { headers: KEY })
    expect(body.image).toBe(Buffer.from(await picture.arrayBuffer()).toString('base64'))
  })

  it.each([
    ['content_policy', 403, 'content_moderation'],
    ['invalid_input', 400, 'bad_request'],
    ['generation_failed', 500, 'internal_error'],
  ])('a generation that fails with %s is a %i', async (code, status, name) => {
    const error = { code, message: 'No.' }
    const { sim, get, send } = await open({ scenario: { rules: [{ then: { outcome: 'failed', error } }] } })
    const { id } = (await send(PATH, { method: 'POST', body: upscale() })).body
    await sim.clock.advance('5m')
    expect(await get(`${PATH}/result/${id}`)).toMatchObject({ status, body: { id, name, errors: ['No.'] } })
  })

  it('keeps a result for 24 hours', async () => {
    const { sim, get, send } = await open({ scenario: { defaults: { delay: '10s' } } })
    const { id } = (await send(PATH, { method: 'POST', body: upscale() })).body
    await sim.clock.advance('24h')
    expect((await get(`${PATH}/result/${id}`)).status).toBe(200)
    await sim.clock.advance('11s')
    expect(await get(`${PATH}/result/${id}`)).toMatchObject({ status: 404, body: { name: 'not_found' } })
  })

  it('rejects requests in its own form', async () => {
    const { base, get, post, request, send } = await open({
      scenario: { auth: { keys: [{ key: 'sk_live_local', credits: 0 }] } },
    })
    expect(await post(PATH, { prompt: 'a cat' })).toMatchObject({
      status: 400,
      body: { id: expect.any(String), name: 'bad_request', errors: [expect.stringContaining('image')] },
    })
    expect(await post(PATH, { image: 'https://example.com/cat.png', prompt: 'a cat' })).toMatchObject({
      status: 402,
      body: { name: 'payment_required' },
    })
    expect(await get(`${PATH}/result/none`)).toMatchObject({ status: 404, body: { name: 'not_found' } })
    expect(
      await send(PATH, { method: 'POST', body: 'a cat', headers: { 'content-type': 'text/plain' } }),
    ).toMatchObject({
      status: 415,
      body: { name: 'bad_request', errors: [expect.stringContaining('or a form')] },
    })
    const keyless = await request(`${base}${PATH}/result/none`)
    expect([keyless.status, await keyless.json()]).toMatchObject([401, { name: 'unauthorized' }])
  })
})
