import { expect, it } from 'vitest'
import { deepTest } from '../support/deep.js'
import { describeHosts, IMAGE, read } from './hosts.js'

const nested = (levels: number) => `{"model":"m","input":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`

describeHosts('an invalid request', (open) => {
  it.each([
    ['no body', '', 400, 'invalid_json', undefined],
    ['broken JSON', '{"model": "m", ', 400, 'invalid_json', undefined],
    ['a body that is not an object', '[]', 400, 'invalid_request', undefined],
    ['null', 'null', 400, 'invalid_request', undefined],
    ['no model', '{"input": {}}', 400, 'invalid_request', 'model'],
    [
      'an inherited field for a model',
      '{"input": {}, "__proto__": {"model": "m"}}',
      400,
      'invalid_request',
      'model',
    ],
    ['a model of the wrong type', '{"model": 7, "input": {}}', 400, 'invalid_request', 'model'],
    ['an empty model', '{"model": "", "input": {}}', 400, 'invalid_request', 'model'],
    ['a model without end', `{"model": "${'m'.repeat(201)}", "input": {}}`, 400, 'invalid_request', 'model'],
    ['no input', '{"model": "m"}', 400, 'invalid_request', 'input'],
    ['an input that is a list', '{"model": "m", "input": []}', 400, 'invalid_request', 'input'],
    ['an input that is null', '{"model": "m", "input": null}', 400, 'invalid_request', 'input'],
    ['no images at all', '{"model": "image", "input": {"n": 0}}', 400, 'invalid_request', 'input.n'],
    [
      'a million images',
      '{"model": "image", "input": {"num_images": 1e6}}',
      400,
      'invalid_request',
      'input.num_images',
    ],
    [
      'a relative webhook',
      '{"model": "m", "input": {}, "webhook_url": "/hook"}',
      400,
      'invalid_request',
      'webhook_url',
    ],
    [
      'a webhook by mail',
      '{"model": "m", "input": {}, "webhook_url": "mailto:a@b.c"}',
      400,
      'invalid_request',
      'webhook_url',
    ],
    [
      'a webhook into a file',
      '{"model": "m", "input": {}, "webhook_url": "file:///x"}',
      400,
      'invalid_request',
      'webhook_url',
    ],
    [
      'a webhook that is a number',
      '{"model": "m", "input": {}, "webhook_url": 1}',
      400,
      'invalid_request',
      'webhook_url',
    ],
    ['an abyss', nested(200), 400, 'invalid_request', undefined],
    ['a deeper abyss', nested(1_000_000), 400, 'invalid_request', undefined],
  ])('is rejected with the reason: %s', async (_, body, status, code, param) => {
    const { post } = await open()
    const answer = await post('/api/v1/tasks', body === '' ? '' : body)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ code, message: expect.stringMatching(/\w{3}.*\.$/s) })
    expect(answer.body.error.param).toBe(param)
    expect(answer.headers.get('x-request-id')).toBe(answer.body.error.request_id)
  })

  it('is rejected with the reason: bytes that are not UTF-8', async () => {
    const { send } = await open()
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const response = await send('/v1/tasks', {
      method: 'POST',
      headers,
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    })
    expect(response.status).toBe(400)
    expect((await read(response)).body.error.code).toBe('invalid_json')
  })

  deepTest('may have 10 MB, and not a byte more', async () => {
    const { post } = await open()
    const space = 10 * 1024 * 1024 - '{"model":"m","input":{"p":""}}'.length
    const fits = await post('/api/v1/tasks', `{"model":"m","input":{"p":"${'x'.repeat(space)}"}}`)
    expect(fits.status).toBe(200)
    const tooLarge = await post('/api/v1/tasks', `{"model":"m","input":{"p":"${'x'.repeat(space + 1)}"}}`)
    expect(tooLarge).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
  })

  it('may have as many JSON values as the scenario allows, and the error names the limit', async () => {
    const { post } = await open({ scenario: { api: { max_values: 10 } } })
    const order = (count: number) => ({ model: 'm', input: { list: Array.from({ length: count }, () => 0) } })
    expect((await post('/api/v1/tasks', order(6))).status).toBe(200)
    const { status, body } = await post('/api/v1/tasks', order(7))
    expect({ status, code: body.error.code }).toEqual({ status: 413, code: 'payload_too_large' })
    expect(body.error.message).toMatch(/more than 10 JSON values.*`api.max_values`/)
  })

  it('may have 50,000 JSON values by default, and so may a control request', async () => {
    const { post } = await open()
    const list = (count: number) => Array.from({ length: count }, () => 0)
    expect((await post('/api/v1/tasks', { model: 'm', input: { list: list(49_996) } })).status).toBe(200)
    expect((await post('/api/v1/tasks', { model: 'm', input: { list: list(49_997) } })).status).toBe(413)
    const { status, body } = await post('/_sim/observations', { list: list(50_000) })
    expect(status).toBe(413)
    expect(body.error.message).toMatch(/more than 50000 JSON values.*Send fewer\.$/)
  })

  it.each([
    ['form data', 'application/x-www-form-urlencoded'],
    ['text', 'text/plain'],
    ['a lookalike', 'application/jsonp'],
  ])('gets the content type to send instead of %s', async (_, type) => {
    const { send } = await open()
    const headers = { authorization: 'Bearer k', 'content-type': type }
    const response = await send('/v1/tasks', { method: 'POST', headers, body: JSON.stringify(IMAGE) })
    expect(response.status).toBe(415)
    expect((await read(response)).body.error.message).toContain('Content-Type: application/json')
  })

  it('accepts a JSON content type with parameters, and unknown fields', async () => {
    const { send } = await open()
    const headers = { authorization: 'bearer k', 'content-type': 'Application/JSON; charset=utf-8' }
    const body = JSON.stringify({ ...IMAGE, priority: 'high', webhook_url: null })
    expect((await send('/v1/tasks', { method: 'POST', headers, body })).status).toBe(200)
  })

  it.each([
    ['none', undefined],
    ['another scheme', 'Basic c2tfbGl2ZTo='],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
  ])('is unauthorized with %s for a key', async (_, authorization) => {
    const { send } = await open()
    const response = await send('/api/v1/tasks', {
      headers: authorization === undefined ? {} : { authorization },
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="tasksim"')
    expect((await read(response)).body.error.code).toBe('unauthorized')
  })

  it('is unauthorized with a key that the scenario does not list, and the error masks the key', async () => {
    const { get } = await open({ scenario: { auth: { keys: ['sk_live_right_key'] } } }, 'sk_live_wrong_key')
    const { status, body } = await get('/api/v1/tasks')
    expect(status).toBe(401)
    expect(body.error.message).not.toContain('sk_live_wrong_key')
  })

  it('with a wrong method gets the list of allowed methods', async () => {
    const { send } = await open()
    const response = await send('/api/v1/tasks', { method: 'DELETE', headers: { authorization: 'Bearer k' } })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    expect((await read(response)).body.error.code).toBe('method_not_allowed')
    const options = await send('/api/v1/tasks/x/cancel', { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
  })

  it('for an unknown task gets 404, even with a path as the id', async () => {
    const { get } = await open()
    for (const id of ['task_none', '..%2f..%2fetc%2fpasswd', '%00', '__proto__', 'constructor']) {
      expect(await get(`/api/v1/tasks/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'task_not_found' } },
      })
    }
  })

  it('with HEAD gets no body', async () => {
    const { send } = await open()
    const response = await send('/api/v1/tasks', { method: 'HEAD', headers: { authorization: 'Bearer k' } })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describeHosts('a path that cannot be decoded', (open) => {
  it.each([
    ['/api/v1/tasks/%E0%A4%A', 'GET', 404, 'task_not_found'],
    ['/v1/task/%E0%A4%A/cancel', 'POST', 404, 'task_not_found'],
    ['/_sim/tasks/%E0%A4%A', 'GET', 404, 'task_not_found'],
    ['/_sim/sandboxes/%E0%A4%A/state', 'GET', 404, 'not_found'],
  ])('is answered like any other unknown path: %s', async (path, method, status, code) => {
    const { send } = await open()
    const headers = { authorization: 'Bearer sk_live_local', cookie: 'a=%E0%A4%A' }
    const answer = await read(await send(path, { method, headers }))
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect(answer.headers.get('x-request-id')).toBe(answer.body.error.request_id)
  })
})
