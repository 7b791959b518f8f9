import OpenAI, { toFile } from 'openai'
import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { deepTest } from '../support/deep.js'
import { describeClient, type Open } from './describe-client.js'

const OPENAI = { name: 'openai', baseUrl: 'https://api.openai.com/v1', path: '/openai/v1' }
const SECRET = 'whsec_dGFza3NpbV9sb2NhbF9zaWduaW5nX3NlY3JldA=='
const NOVEL = {
  model: 'o3',
  input: 'Write a very long novel about otters in space.',
  background: true,
} as const
/** The client compares the time of webhooks with its own. */
const TODAY = { clock: 'manual', start: new Date() } as const
const SEA = { defaults: { reply: { text: 'The sea is wide.' } } } as const

async function start(open: Open, ...scenario: Parameters<Open>) {
  const service = await open(...scenario)
  const openai = new OpenAI({ baseURL: service.baseUrl, apiKey: 'openai-key', webhookSecret: SECRET })
  const sleep = async () => void (await service.sim.clock.advance('2s'))
  /** The loop of the guide. */
  const ended = async (id: string) => {
    let response = await openai.responses.retrieve(id)
    while (response.status === 'queued' || response.status === 'in_progress') {
      await sleep()
      response = await openai.responses.retrieve(id)
    }
    return response
  }
  return { ...service, openai, ended }
}

describeClient(OPENAI, (open) => {
  it('runs a response in the background while the client polls', async () => {
    const { sim, openai, ended } = await start(open, SEA)
    const created = await openai.responses.create(NOVEL)
    expect(created).toMatchObject({
      object: 'response',
      status: 'queued',
      output: [],
      usage: null,
      tools: [],
    })
    await sim.clock.advance('1s')
    expect((await openai.responses.retrieve(created.id)).status).toBe('in_progress')
    const response = await ended(created.id)
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{48}$/),
      status: 'completed',
      background: true,
      model: 'o3',
      output_text: 'The sea is wide.',
      error: null,
      metadata: {},
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      _request_id: expect.any(String),
    })
    expect((response.completed_at ?? 0) - response.created_at).toBe(10)
    expect((await sim.verdict()).findings).toEqual([])
  })

  it('reads messages, instructions and tool results of the input', async () => {
    const { sim, openai, ended } = await start(open, {
      defaults: { reply: { text: 'You said: {{prompt}}' } },
    })
    const { id } = await openai.responses.create({
      ...NOVEL,
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        } as never,
        { role: 'user', content: 'How are you?' },
      ],
      reasoning: { effort: 'low' },
    })
    expect((await sim.tasks.get(id))?.input).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'user', content: 'How are you?' },
      ],
      reasoning_effort: 'low',
    })
    const { output } = await ended(id)
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    const { data } = await openai.responses.inputItems.list(id)
    expect(data.map((item) => 'content' in item && item.content)).toEqual([
      [{ type: 'input_text', text: 'How are you?' }],
      [{ type: 'output_text', text: 'Hi', annotations: [] }],
      [{ type: 'input_text', text: 'Hello' }],
    ])
  })

  it('calls a tool, and answers its result with text', async () => {
    const { openai, ended } = await start(open)
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tool = { type: 'function', name: 'weather', parameters, strict: true } as const
    const { id } = await openai.responses.create({
      ...NOVEL,
      tools: [{ type: 'web_search' }, tool],
      tool_choice: { type: 'function', name: 'weather' },
    })
    const [call] = (await ended(id)).output
    expect(call).toMatchObject({
      id: expect.stringMatching(/^fc_[0-9a-f]{48}$/),
      type: 'function_call',
      name: 'weather',
      call_id: expect.any(String),
    })
    if (call?.type !== 'function_call') throw new Error('The model called no tool.')
    expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) })
    const next = await openai.responses.create({
      ...NOVEL,
      tools: [tool],
      input: [call, { type: 'function_call_output', call_id: call.call_id, output: 'Rain.' }],
    })
    expect((await ended(next.id)).output_text).not.toBe('')
  })

  it('answers with JSON that fits the schema of the request', async () => {
    const { sim, openai } = await start(open)
    const schema = {
      type: 'object',
      properties: { city: { type: 'string' }, people: { type: 'integer' } },
      required: ['city', 'people'],
      additionalProperties: false,
    }
    const format = { type: 'json_schema', name: 'city', strict: true, schema } as const
    const parsed = openai.responses.parse({ model: 'gpt-5.5', input: 'Name a city.', text: { format } })
    const response = await advanceUntilDone(sim, parsed)
    expect(response.output_parsed).toEqual({ city: expect.any(String), people: expect.any(Number) })
    expect(response.text).toEqual({ format, verbosity: 'medium' })
  })

  it('does not throw when a response fails', async () => {
    const { openai, ended } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    const { id } = await openai.responses.create(NOVEL)
    expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'server_error' }, output: [] })
  })

  it.each(['length', 'content_filter'])(
    'shows a response that ends with %s as incomplete',
    async (reason) => {
      const { openai, ended } = await start(open, {
        defaults: { reply: { text: 'The sea', finish_reason: reason } },
      })
      const { id } = await openai.responses.create(NOVEL)
      expect(await ended(id)).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: reason === 'length' ? 'max_output_tokens' : reason },
        completed_at: null,
        output_text: 'The sea',
        output: [{ status: 'incomplete' }],
      })
    },
  )

  it('cancels a response, twice, and leaves an ended one as it is', async () => {
    const { sim, openai } = await start(open)
    const { id } = await openai.responses.create(NOVEL)
    expect((await openai.responses.cancel(id)).status).toBe('cancelled')
    expect((await openai.responses.cancel(id)).status).toBe('cancelled')
    const other = await openai.responses.create(NOVEL)
    await sim.clock.advance('10s')
    expect((await openai.responses.cancel(other.id)).status).toBe('completed')
  })

  it('deletes a response', async () => {
    const { openai } = await start(open)
    const { id } = await openai.responses.create(NOVEL)
    await openai.responses.delete(id)
    await expect(openai.responses.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError)
  })

  it('posts webhooks to the receivers of the scenario, which the client unwraps', async () => {
    const { url, received } = await startReceiver()
    const { sim, openai } = await start(open, { webhooks: { receivers: [url] } }, TODAY)
    const { id } = await openai.responses.create(NOVEL)
    const canceled = await openai.responses.create(NOVEL)
    await openai.responses.cancel(canceled.id)
    await sim.clock.advance('10s')
    const events = await Promise.all(
      received.map(({ headers, body }) =>
        openai.webhooks.unwrap(String(body), headers as Record<string, string>),
      ),
    )
    expect(events).toMatchObject([
      { object: 'event', type: 'response.cancelled', data: { id: canceled.id } },
      { object: 'event', type: 'response.completed', data: { id }, created_at: expect.any(Number) },
    ])
  })

  it('posts a webhook that the client rejects, if the scenario forges it', async () => {
    const { url, received } = await startReceiver()
    const faults = [{ then: ['wrong_signature'] }] as const
    const { sim, openai } = await start(open, { webhooks: { receivers: [url], faults: [...faults] } }, TODAY)
    await openai.responses.create(NOVEL)
    await sim.clock.advance('10s')
    const [{ headers, body } = { headers: {}, body: '' }] = received
    await expect(openai.webhooks.unwrap(String(body), headers as Record<string, string>)).rejects.toThrow(
      OpenAI.InvalidWebhookSignatureError,
    )
  })

  it('rejects with the classes, codes and parameters of the client', async () => {
    const { baseUrl, openai } = await start(open, {
      auth: { keys: ['openai-key'] },
      models: { o3: {} },
      api: { unknown_models: 'reject' },
    })
    const errorOf = async (call: PromiseLike<unknown>) =>
      Promise.resolve(call).then(undefined, (error) => error)
    const stranger = new OpenAI({ baseURL: baseUrl, apiKey: 'another' })
    const rejections = [
      await errorOf(stranger.responses.create(NOVEL)),
      await errorOf(openai.responses.create({ ...NOVEL, model: 'gpt-0' })),
      await errorOf(openai.responses.create({ model: 'o3' } as never)),
      await errorOf(openai.responses.create({ ...NOVEL, store: false })),
    ]
    expect(rejections.map((error) => [error.constructor.name, error.code, error.param, error.type])).toEqual([
      ['AuthenticationError', 'invalid_api_key', null, 'invalid_request_error'],
      ['NotFoundError', 'model_not_found', 'model', 'invalid_request_error'],
      ['BadRequestError', 'missing_required_parameter', 'input', 'invalid_request_error'],
      ['BadRequestError', null, 'store', 'invalid_request_error'],
    ])
    expect(rejections[1].message).toBe(
      '404 The model `gpt-0` does not exist or you do not have access to it.',
    )
  })

  const format = { type: 'json_schema', name: 'city', schema: { type: 'object' } }
  it.each<[string, string, object]>([
    ['unknown_parameter', 'max_tokens', { max_tokens: 5 }],
    ['previous_response_not_found', 'previous_response_id', { previous_response_id: 'resp_1' }],
    ['integer_below_min_value', 'max_output_tokens', { max_output_tokens: 15 }],
    ['invalid_type', 'temperature', { temperature: '1' }],
    ['decimal_above_max_value', 'temperature', { temperature: 2.5 }],
    ['decimal_below_min_value', 'temperature', { temperature: -1 }],
    ['missing_required_parameter', 'text.format.name', { text: { format: { ...format, name: undefined } } }],
    [
      'missing_required_parameter',
      'text.format.schema',
      { text: { format: { ...format, schema: undefined } } },
    ],
  ])('rejects a response with the code %s for %s', async (code, param, parameters) => {
    const { openai } = await start(open)
    const rejected = openai.responses.create({ ...NOVEL, ...parameters } as never)
    await expect(rejected).rejects.toMatchObject({ status: 400, code, param })
  })

  it('accepts the limits of parameters', async () => {
    const { openai } = await start(open)
    const limits = { temperature: 2, max_output_tokens: 16, text: { format } } as const
    expect((await openai.responses.create({ ...NOVEL, ...limits } as never)).status).toBe('queued')
    expect((await openai.responses.create({ ...NOVEL, temperature: 0 })).temperature).toBe(0)
  })

  it('does not cancel a response whose answer was held', async () => {
    const { sim, openai } = await start(open)
    const { id } = await advanceUntilDone(sim, openai.responses.create({ model: 'o3', input: 'Hello' }))
    await expect(openai.responses.cancel(id)).rejects.toMatchObject({
      status: 400,
      message: '400 Cannot cancel a synchronous response.',
    })
  })

  it('continues a response of the same key', async () => {
    const { baseUrl, openai } = await start(open)
    const { id: previous_response_id } = await openai.responses.create(NOVEL)
    const next = await openai.responses.create({ ...NOVEL, previous_response_id })
    expect(next).toMatchObject({ status: 'queued', previous_response_id })
    const both = { ...NOVEL, previous_response_id, conversation: 'conv_1' }
    await expect(openai.responses.create(both)).rejects.toMatchObject({
      code: 'mutually_exclusive_parameters',
    })
    const stranger = new OpenAI({ baseURL: baseUrl, apiKey: 'another' })
    await expect(stranger.responses.create({ ...NOVEL, previous_response_id })).rejects.toMatchObject({
      code: 'previous_response_not_found',
    })
  })

  it('remixes and edits a video that has succeeded', async () => {
    const { sim, openai } = await start(open)
    const kept = { model: 'sora-2-pro', seconds: '8', size: '1792x1024' } as const
    const { id } = await openai.videos.create({ prompt: 'waves', ...kept })
    const remix = () => openai.videos.remix(id, { prompt: 'waves at night' })
    await expect(remix()).rejects.toMatchObject({ status: 400 })
    await sim.clock.advance('10s')
    const remixed = await remix()
    expect(remixed).toMatchObject({ ...kept, prompt: 'waves at night', remixed_from_video_id: id })
    expect((await sim.tasks.get(remixed.id))?.media).toEqual((await sim.tasks.get(id))?.media)
    expect(await openai.videos.edit({ prompt: 'more foam', video: { id } })).toMatchObject({
      ...kept,
      prompt: 'more foam',
      remixed_from_video_id: null,
    })
    await openai.videos.delete(id)
    await expect(remix()).rejects.toMatchObject({
      status: 404,
      message: `404 Video with id '${id}' not found.`,
    })
    await expect(openai.videos.edit({ prompt: 'foam', video: { id } })).rejects.toThrow(OpenAI.NotFoundError)
    const { id: response } = await openai.responses.create(NOVEL)
    await expect(openai.videos.remix(response, { prompt: 'waves' })).rejects.toThrow(OpenAI.NotFoundError)
  })

  it('edits a video of the client', async () => {
    const { openai } = await start(open)
    const video = await toFile(new Uint8Array(8), 'own.mp4', { type: 'video/mp4' })
    const edited = await openai.videos.edit({ prompt: 'more foam', video })
    expect(edited).toMatchObject({ status: 'queued', model: 'sora-2', size: '720x1280' })
  })

  it('matches faults against the model of a remix', async () => {
    const when = { operation: 'tasks.create', model: 'sora-2-pro', nth: 2 } as const
    const { sim, openai } = await start(open, { faults: [{ when, then: { status: 503 } }] })
    const { id } = await openai.videos.create({ prompt: 'waves', model: 'sora-2-pro' })
    await sim.clock.advance('10s')
    const remix = openai.videos.remix(id, { prompt: 'waves' }, { maxRetries: 0 })
    await expect(remix).rejects.toMatchObject({ status: 503 })
  })

  it('lists videos from either end, in pages', async () => {
    const { openai } = await start(open)
    const ids: string[] = []
    for (const prompt of ['one', 'two', 'three']) ids.push((await openai.videos.create({ prompt })).id)
    await openai.responses.create(NOVEL)
    const listed = async (query: OpenAI.VideoListParams) => {
      const found: string[] = []
      for await (const { id } of openai.videos.list(query)) found.push(id)
      return found
    }
    expect(await listed({ limit: 2 })).toEqual(ids.toReversed())
    expect(await listed({ limit: 2, order: 'asc' })).toEqual(ids)
    expect(await listed({ limit: 1, order: 'asc', after: ids[0] ?? '' })).toEqual(ids.slice(1))
    const page = await openai.videos.list({ limit: 2, order: 'asc' })
    expect([page.has_more, page.last_id]).toEqual([true, ids[1]])
    await expect(openai.videos.list({ order: 'up' as never })).rejects.toMatchObject({ param: 'order' })
  })

  deepTest('gives pictures of a video, and its files until they expire', async () => {
    const { sim, openai } = await start(open)
    const { id } = await openai.videos.create({ prompt: 'waves', size: '1280x720' })
    await expect(openai.videos.downloadContent(id, { variant: 'thumbnail' })).rejects.toMatchObject({
      status: 404,
    })
    await sim.clock.advance('10s')
    const contents = async (variant: OpenAI.VideoDownloadContentParams['variant'] = 'video') => {
      const content = await openai.videos.downloadContent(id, { variant })
      const start = Buffer.from(await content.arrayBuffer()).toString('latin1', 0, 12)
      return [content.headers.get('content-type'), start]
    }
    expect(await contents('thumbnail')).toEqual(['image/webp', expect.stringMatching(/^RIFF.{4}WEBP$/s)])
    expect(await contents('spritesheet')).toEqual(['image/jpeg', expect.stringMatching(/^\xff\xd8\xff/)])
    await sim.clock.advance('59m59s')
    expect(await contents()).toEqual(['video/mp4', expect.stringContaining('ftyp')])
    await sim.clock.advance('1s')
    await expect(contents()).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('expired'),
    })
  })

  it('rejects videos with values that the service does not have', async () => {
    const { sim, openai } = await start(open)
    const create = (body: object) => openai.videos.create({ prompt: 'waves', ...body } as never)
    await expect(create({ seconds: '5' })).rejects.toMatchObject({ code: 'invalid_value', param: 'seconds' })
    await expect(create({ size: '1x1' })).rejects.toMatchObject({ code: 'invalid_value', param: 'size' })
    await expect(create({ duration: '4' })).rejects.toMatchObject({
      code: 'unknown_parameter',
      param: 'duration',
    })
    const json = openai.post('/videos', { body: { prompt: 'waves', seconds: 4 } })
    await expect(json).rejects.toMatchObject({ code: 'invalid_type', param: 'seconds' })
    const { id } = await create({ seconds: '12', size: '1792x1024' })
    await sim.clock.advance('10s')
    const poster = openai.videos.downloadContent(id, { variant: 'poster' as never })
    await expect(poster).rejects.toMatchObject({ status: 400, code: 'invalid_value', param: 'variant' })
  })

  it('gives the code of a fault in the scenario', async () => {
    const { openai } = await start(open, {
      faults: [{ then: { status: 503, code: 'server_is_overloaded', message: 'Try again later.' } }],
    })
    const overloaded = openai.responses.create(NOVEL, { maxRetries: 0 })
    await expect(overloaded).rejects.toMatchObject({ code: 'server_is_overloaded', type: 'server_error' })
  })

  it('gets a retry from the client after a 429', async () => {
    const { openai, requests } = await start(open, {
      faults: [{ when: { nth: 1 }, then: { status: 429, headers: { 'retry-after-ms': '5' } } }],
    })
    await openai.responses.create(NOVEL)
    expect(requests.map(({ status }) => status)).toEqual([429, 200])
  })

  it.each([
    [503, 'false', [503]],
    [400, 'true', [400, 200]],
  ])('gets retries as x-should-retry says: %d, %s', async (status, should, statuses) => {
    const headers = { 'x-should-retry': should, 'retry-after-ms': '1' }
    const { openai, requests } = await start(open, {
      faults: [{ when: { nth: 1 }, then: { status, headers } }],
    })
    await openai.responses.create(NOVEL).catch(() => undefined)
    expect(requests.map((request) => request.status)).toEqual(statuses)
  })

  it('gives the state of a rate limit, and rejects what exceeds it', async () => {
    const { sim, openai } = await start(open, { rate_limits: [{ requests: 1, per: '6m' }] })
    const { response } = await openai.responses.create(NOVEL).withResponse()
    const state = (headers: Headers) =>
      ['limit', 'remaining', 'reset'].map((part) => headers.get(`x-ratelimit-${part}-requests`))
    expect(state(response.headers)).toEqual(['1', '0', '6m0s'])
    await sim.clock.advance('5m1500ms')
    const error = await openai.responses.create(NOVEL, { maxRetries: 0 }).catch((error) => error)
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(state(error.headers)).toEqual(['1', '0', '58.5s'])
  })

  it('tells a client without credits', async () => {
    const { openai } = await start(open, { auth: { credits: 0 } })
    const error = await openai.responses.create(NOVEL, { maxRetries: 0 }).catch((error) => error)
    expect([error.constructor.name, error.code, error.type]).toEqual([
      'RateLimitError',
      'insufficient_quota',
      'insufficient_quota',
    ])
  })

  it('makes a video from a form with a picture, downloads it, and lists and deletes it', async () => {
    const { sim, openai } = await start(open)
    const input_reference = await toFile(new TextEncoder().encode('a cat'), 'cat.png', { type: 'image/png' })
    const prompt = 'A calico cat playing a piano on stage'
    const video = await openai.videos.create({
      model: 'sora-2',
      prompt,
      seconds: '8',
      size: '1280x720',
      input_reference,
    })
    expect(video).toMatchObject({
      id: expect.stringMatching(/^video_[0-9a-f]{48}$/),
      object: 'video',
      status: 'queued',
      progress: 0,
      prompt,
      seconds: '8',
      size: '1280x720',
      expires_at: null,
    })
    const { input } = (await sim.tasks.get(video.id)) ?? {}
    expect(await (await fetch(String(input?.['input_reference']))).text()).toBe('a cat')
    await expect(openai.videos.downloadContent(video.id)).rejects.toThrow(OpenAI.NotFoundError)
    await sim.clock.advance('5s')
    expect(await openai.videos.retrieve(video.id)).toMatchObject({ status: 'in_progress', progress: 50 })
    await sim.clock.advance('5s')
    const ended = await openai.videos.retrieve(video.id)
    expect(ended).toMatchObject({ status: 'completed', progress: 100, error: null })
    expect((ended.expires_at ?? 0) - (ended.completed_at ?? 0)).toBe(3_600)
    const content = await openai.videos.downloadContent(video.id, { variant: 'video' })
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
    const by = { input_reference: { image_url: 'https://example.com/cat.png' } }
    const other = await openai.videos.create({ prompt, ...by })
    expect((await sim.tasks.get(other.id))?.input).toMatchObject(by)
    expect(other).toMatchObject({ model: 'sora-2', seconds: '4', size: '720x1280' })
    const listed: string[] = []
    for await (const { id } of openai.videos.list({ limit: 1 })) listed.push(id)
    expect(listed).toEqual([other.id, video.id])
    expect(await openai.videos.delete(other.id)).toEqual({
      id: other.id,
      object: 'video.deleted',
      deleted: true,
    })
    await expect(openai.videos.retrieve(other.id)).rejects.toThrow(OpenAI.NotFoundError)
  })

  it('keeps videos and responses apart', async () => {
    const { openai } = await start(open)
    const video = await openai.videos.create({ prompt: 'waves' })
    const response = await openai.responses.create(NOVEL)
    await expect(openai.responses.retrieve(video.id)).rejects.toThrow(OpenAI.NotFoundError)
    await expect(openai.videos.retrieve(response.id)).rejects.toThrow(OpenAI.NotFoundError)
    await expect(openai.videos.delete(response.id)).rejects.toThrow(OpenAI.NotFoundError)
    expect((await openai.videos.list()).data.map(({ id }) => id)).toEqual([video.id])
  })

  it('posts webhooks about videos', async () => {
    const { url, received } = await startReceiver()
    const rules = [{ when: { occurrence: 2 }, then: { outcome: 'failed' } }] as const
    const { sim, openai } = await start(open, { webhooks: { receivers: [url] }, rules: [...rules] }, TODAY)
    const prompt = 'waves'
    const ids = [await openai.videos.create({ prompt }), await openai.videos.create({ prompt })].map(
      ({ id }) => id,
    )
    await sim.clock.advance('10s')
    const events = await Promise.all(
      received.map(({ headers, body }) =>
        openai.webhooks.unwrap(String(body), headers as Record<string, string>),
      ),
    )
    expect(events.map(({ type, data }) => [type, 'id' in data && data.id]).sort()).toEqual([
      ['video.completed', ids[0]],
      ['video.failed', ids[1]],
    ])
    expect((await openai.videos.retrieve(ids[1] ?? '')).error?.code).toBe('video_generation_failed')
  })

  it('holds the answer without `background`, and rejects a failure', async () => {
    const { sim, openai } = await start(open, {
      ...SEA,
      rules: [{ when: { occurrence: 2 }, then: { outcome: 'failed' } }],
    })
    const order = { model: 'o3', input: 'Hello' } as const
    const response = await advanceUntilDone(sim, openai.responses.create(order))
    expect(response).toMatchObject({
      status: 'completed',
      background: false,
      output_text: 'The sea is wide.',
    })
    const failure = openai.responses.create(order, { maxRetries: 0 })
    await expect(advanceUntilDone(sim, failure)).rejects.toMatchObject({ status: 500, code: 'server_error' })
  })

  it('holds the answer for longer than five minutes', async () => {
    const { sim, openai } = await start(open, { defaults: { delay: '9m' } })
    const held = openai.responses.create({ model: 'o3', input: 'Hello' })
    expect((await advanceUntilDone(sim, held)).status).toBe('completed')
  })
})
