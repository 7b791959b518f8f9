import { expect, it } from 'vitest'
import { describeHosts, IMAGE } from './hosts.js'

describeHosts('a scenario that configures the API', (open) => {
  it.each([201, 202] as const)('answers a create with %i', async (status) => {
    const { post } = await open({ scenario: { api: { create_status: status } } })
    expect((await post('/api/v1/tasks', IMAGE)).status).toBe(status)
  })

  it('writes errors as RFC 9457 problems', async () => {
    const { post } = await open({ scenario: { api: { errors: 'problem' } } })
    const { headers, body } = await post('/api/v1/tasks', { input: {} })
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(body).toEqual({
      type: 'about:blank',
      title: 'invalid_request',
      status: 400,
      detail: 'The field `model` is missing: give a string such as "provider/model-name".',
      param: 'model',
      request_id: 'req_00000001',
    })
  })

  it('writes errors as a bare detail', async () => {
    const { post } = await open({ scenario: { api: { errors: 'detail' } } })
    const { body } = await post('/api/v1/tasks', { input: {} })
    expect(Object.keys(body)).toEqual(['detail'])
  })

  it('can disable the cancel operation', async () => {
    const { post } = await open({ scenario: { api: { cancel: false } } })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    const answer = await post(`/api/v1/tasks/${task.id}/cancel`)
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it('can restrict the models to those that it lists', async () => {
    const { post } = await open({ scenario: { api: { unknown_models: 'reject' }, models: { 'acme/*': {} } } })
    expect((await post('/api/v1/tasks', IMAGE)).status).toBe(200)
    expect(await post('/api/v1/tasks', { ...IMAGE, model: 'other/image-1' })).toMatchObject({
      status: 404,
      body: { error: { code: 'model_not_found', param: 'model' } },
    })
  })

  it('returns a custom output with the URLs of its files', async () => {
    const output = { frames: [{ url: '{{file}}' }, { url: '{{file}}' }], seed: 7 }
    const { sim, get, post, send } = await open({ scenario: { models: { 'acme/*': { output } } } })
    const { body: task } = await post('/api/v1/tasks', IMAGE)
    await sim.clock.advance('1m')
    const { body } = await get(`/api/v1/tasks/${task.id}`)
    expect(body.output.seed).toBe(7)
    for (const { url } of body.output.frames) {
      const { pathname, search } = new URL(url)
      expect((await send(pathname + search)).headers.get('content-type')).toBe('image/png')
    }
  })
})
