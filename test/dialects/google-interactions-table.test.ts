import { expect, it } from 'vitest'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeDialect } from './describe-dialect.js'

const ORIGIN = 'https://generativelanguage.googleapis.com'
const KEY = { 'x-goog-api-key': 'gemini-key' }
const PATH = '/v1/interactions'
const OMNI = { model: 'gemini-omni-1.2-flash', input: 'A kite' }
const ASK = { model: 'gemini-3-pro', input: 'Write about the sea.' }
const FIELDS = [
  ...['agent', 'agent_config', 'background', 'cached_content', 'continuation_token', 'environment'],
  ...['generation_config', 'input', 'labels', 'model', 'previous_interaction_id', 'response_format'],
  ...['response_mime_type', 'response_modalities', 'safety_settings', 'service_tier', 'store', 'stream'],
  ...['system_instruction', 'tools', 'webhook_config'],
]

describeDialect('google', ORIGIN, KEY, (open) => {
  it('rejects what no interaction can be made from', async () => {
    const { post } = await open()
    const messageOf = async (body: object) => {
      const answer = await post(PATH, body)
      return [answer.status, answer.body.error.message]
    }
    expect(await messageOf({ ...ASK, agent: 'deep-research' })).toEqual([
      400,
      'Give `model` or `agent`, but not both.',
    ])
    expect(await messageOf({ model: 'gemini-3-pro' })).toEqual([400, 'The field `input` is missing.'])
    expect(await messageOf({ ...ASK, background: true, store: false })).toEqual([
      400,
      'Background interactions need `store` to be true.',
    ])
    expect((await messageOf({ input: 'Hello' }))[0]).toBe(400)
    expect((await post(PATH, { ...ASK, background: true, continuation_token: 'next' })).status).toBe(200)
  })

  it('ends a held request after a minute, but not the interaction', async () => {
    const { sim, post, remove } = await open({ scenario: { defaults: { delay: '90s' } } as never })
    const { status, body } = await advanceUntilDone(sim, post(PATH, { ...ASK, background: false }))
    expect([status, body.error.status]).toEqual([504, 'DEADLINE_EXCEEDED'])
    const [task] = sim.tasks.list({ limit: 1 })?.tasks ?? []
    expect(task?.status).toBe('processing')
    const { status: late, body: rejected } = await post(`${PATH}/${task?.id}/cancel`)
    expect([late, rejected.error.message]).toEqual([400, 'Only background interactions can be cancelled.'])
    const deleted = await remove(`${PATH}/${task?.id}`)
    expect([deleted.status, deleted.body]).toEqual([200, {}])
  })

  it('names the agent, the service tier and the version that the request names', async () => {
    const { sim, post, get } = await open()
    const agent = { agent: 'deep-research-pro', input: 'Why?', background: true, service_tier: 'flex' }
    const { body } = await post(PATH, agent)
    expect(body).toMatchObject({ agent: 'deep-research-pro', service_tier: 'flex' })
    const { id } = (await post('/v1beta/interactions', { ...OMNI, background: true, response_format: [URI] }))
      .body
    await sim.clock.advance('10m')
    expect((await get(`${PATH}/${body.id}`)).body.steps[0].content[0].type).toBe('text')
    const { steps } = (await get(`${PATH}/${id}`)).body
    expect(steps[0].content).toEqual([
      { type: 'video', mime_type: 'video/mp4', uri: expect.stringContaining(`/v1beta/files/${id}:download`) },
    ])
  })

  it('reads what to generate from all places of a request', async () => {
    const { sim, post } = await open()
    const optionsOf = async (body: object) => {
      const { id } = (await post(PATH, { ...OMNI, background: true, ...body })).body
      const { input, media } = (await sim.tasks.get(id)) ?? {}
      return { media, ...input }
    }
    const video = { duration: '4s', aspect_ratio: '9:16', resolution: '1080p' }
    const portrait = { media: { kind: 'video', width: 1080, height: 1920, seconds: 4, sound: true } }
    expect(await optionsOf({ response_format: { type: 'video', ...video } })).toMatchObject(portrait)
    expect(await optionsOf({ response_format: [{ type: 'video', ...video }] })).toMatchObject(portrait)
    const image = { model: 'gemini-3-pro-image-preview' }
    const config = { image_config: { aspect_ratio: '1:1', image_size: '2K' } }
    const square = { media: { kind: 'image', width: 2048, height: 2048 } }
    expect(await optionsOf({ ...image, generation_config: config })).toMatchObject(square)
    const format = { type: 'image', ...config.image_config, mime_type: 'image/jpeg' }
    expect(await optionsOf({ ...image, response_format: format })).toMatchObject({
      media: { ...square.media, format: 'jpeg' },
    })
    const sound = { model: 'gemini-2.5-flash-preview-tts', response_format: [{ mime_type: 'audio/wav' }] }
    expect(await optionsOf(sound)).toMatchObject({ media: { kind: 'audio', format: 'wav' } })
  })

  it('tells the receivers of a request about the end of a background interaction', async () => {
    const received: unknown[] = []
    const { sim, post } = await open({
      transport: (async ({ url, body }: { url: string; body: Uint8Array }) => {
        received.push([new URL(url).pathname, JSON.parse(Buffer.from(body).toString())])
        return { status: 204, body: '' }
      }) as never,
    })
    const uris = ['https://app.example.com/one', 'https://app.example.com/two']
    const tools = [{ type: 'function', name: 'look' }]
    const config = { webhook_config: { uris, user_metadata: { job: 'sea' } } }
    const call = { tools, generation_config: { tool_choice: 'any' }, background: true, ...config }
    const { id } = (await post(PATH, { ...ASK, ...call })).body
    await sim.clock.advance('10m')
    const event = { type: 'interaction.requires_action', data: { id }, user_metadata: { job: 'sea' } }
    expect(received.sort()).toMatchObject([
      ['/one', event],
      ['/two', event],
    ])
  })

  it('knows all fields of a request', async () => {
    const { sim, post } = await open()
    await post(PATH, {
      ...Object.fromEntries(FIELDS.map((field) => [field, null])),
      ...ASK,
      background: true,
      odd: 1,
    })
    const [finding] = (await sim.findings()).filter(({ id }) => id === 'unknown-fields')
    expect(finding?.evidence.map(({ seen }) => seen)).toEqual([
      expect.stringMatching(/^The request has `odd` \([^)]*\)$/),
    ])
  })
})

const URI = { type: 'video', delivery: 'uri' }
