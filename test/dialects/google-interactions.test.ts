import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeClient, type Open } from './describe-client.js'

const GOOGLE = { name: 'google', baseUrl: 'https://generativelanguage.googleapis.com', path: '/google' }
const OMNI = 'gemini-omni-1.2-flash'
const VIDEO = { model: OMNI, input: 'A kite over a bay', background: true } as const
const WEATHER = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
} as const

async function start(open: Open, ...scenario: Parameters<Open>) {
  const service = await open(...scenario)
  const ai = new GoogleGenAI({ apiKey: 'gemini-key', httpOptions: { baseUrl: service.baseUrl } })
  const held = <Answer>(call: Promise<Answer>) => advanceUntilDone(service.sim, call)
  return { ...service, ai, interactions: ai.interactions, held }
}

// biome-ignore lint/suspicious/noExplicitAny: events differ by their type
async function eventsOf(stream: unknown): Promise<any[]> {
  const events = []
  // biome-ignore lint/suspicious/noExplicitAny: as above
  for await (const event of stream as AsyncIterable<any>) events.push(event)
  return events
}

const bytesOf = (data: string | undefined) => Buffer.from(data ?? '', 'base64').toString('latin1', 0, 12)

describeClient(GOOGLE, (open) => {
  it('makes a video in the background, whose file is ready after a while', async () => {
    const { sim, ai, interactions } = await start(open)
    const format = { type: 'video', delivery: 'uri', duration: '4s', aspect_ratio: '9:16' } as const
    const created = await interactions.create({ ...VIDEO, response_format: format })
    expect(created).toMatchObject({ object: 'interaction', status: 'in_progress', model: OMNI, steps: [] })
    await sim.clock.advance('10s')
    const ended = await interactions.get(created.id)
    expect(ended.status).toBe('completed')
    const { uri = '', mime_type: type, data } = Object(ended).output_video
    expect([type, data]).toEqual(['video/mp4', undefined])
    expect(uri).toMatch(
      /^https:\/\/generativelanguage\.googleapis\.com\/v1(?:beta)?\/files\/[a-z0-9]{32}:download/,
    )
    const name = `files/${created.id}`
    expect(await ai.files.get({ name })).toMatchObject({ name, state: 'PROCESSING', source: 'GENERATED' })
    await sim.clock.advance('2s')
    expect(await ai.files.get({ name })).toMatchObject({ mimeType: 'video/mp4', state: 'ACTIVE' })
    const { input } = (await sim.tasks.get(created.id)) ?? {}
    expect(input).toMatchObject({ prompt: 'A kite over a bay', duration: '4s', aspect_ratio: '9:16' })
  })

  it('contains a video, a picture and a sound as base64', async () => {
    const { sim, interactions } = await start(open)
    const created = await Promise.all(
      [OMNI, 'gemini-3-pro-image-preview', 'gemini-2.5-flash-preview-tts'].map((model) =>
        interactions.create({ model, input: [{ type: 'text', text: 'A kite' }], background: true }),
      ),
    )
    await sim.clock.advance('1m')
    const [video, image, audio] = await Promise.all(
      created.map(async ({ id }) => Object(await interactions.get(id))),
    )
    expect(bytesOf(video.output_video.data)).toContain('ftyp')
    expect(bytesOf(image.output_image.data)).toContain('PNG')
    expect(bytesOf(audio.output_audio.data)).toMatch(/^ID3|^ÿû/)
    expect(image.output_image).toEqual({ type: 'image', mime_type: 'image/png', data: expect.any(String) })
  })

  it('answers with a text, a thought, a function call, and the end at a limit', async () => {
    const { interactions, held } = await start(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const ask = { model: 'gemini-3-pro', system_instruction: 'Be brief.', input: 'Write about the sea.' }
    const text = await held(interactions.create(ask))
    expect([text.status, Object(text).output_text]).toEqual(['completed', 'The sea is wide.'])
    expect(text.usage?.total_output_tokens).toBeGreaterThan(0)
    const call = await held(
      interactions.create({ ...ask, tools: [WEATHER], generation_config: { tool_choice: 'any' } }),
    )
    expect(call.status).toBe('requires_action')
    const step = call.steps?.at(-1)
    expect(step).toEqual({
      type: 'function_call',
      id: expect.any(String),
      name: 'weather',
      arguments: { city: expect.any(String) },
    })
    const result = {
      type: 'function_result',
      call_id: Object(step).id,
      name: 'weather',
      result: 'Rain.',
    } as const
    const next = await held(
      interactions.create({
        model: 'gemini-3-pro',
        previous_interaction_id: call.id,
        input: [result],
        tools: [WEATHER],
      }),
    )
    expect(next).toMatchObject({ status: 'completed', previous_interaction_id: call.id })
    const short = await held(interactions.create({ ...ask, generation_config: { max_output_tokens: 1 } }))
    expect(short.status).toBe('incomplete')
  })

  it('streams a text, and a picture, and resumes after an event', async () => {
    const { sim, interactions, held } = await start(open, {
      defaults: { reply: { text: 'The sea is wide.' } },
    })
    const ask = { model: 'gemini-3-pro', input: 'Write about the sea.', stream: true } as const
    const events = await held(interactions.create(ask).then(eventsOf))
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'interaction.created',
      'interaction.status_update',
      'step.start',
      ...Array(4).fill('step.delta'),
      'step.stop',
      'interaction.completed',
    ])
    const deltas = events.filter(({ event_type }) => event_type === 'step.delta')
    expect(deltas.map(({ delta }) => delta.text).join('')).toBe('The sea is wide.')
    const { id } = events.at(-1).interaction
    const rest = { stream: true, last_event_id: events[3].event_id } as const
    expect(await held(interactions.get(id, rest).then(eventsOf))).toEqual(events.slice(4))
    const picture = await held(
      interactions.create({ ...ask, model: 'gemini-3-pro-image-preview' }).then(eventsOf),
    )
    const delta = picture.find(({ event_type }) => event_type === 'step.delta')?.delta
    expect(delta).toMatchObject({ type: 'image', mime_type: 'image/png' })
    expect(bytesOf(delta.data)).toContain('PNG')
    expect((await sim.verdict({ final: true })).findings).toEqual([])
  })

  it('cancels a running interaction, deletes it, and rejects an unknown one', async () => {
    const { sim, interactions } = await start(open)
    const { id } = await interactions.create(VIDEO)
    expect((await interactions.cancel(id)).status).toBe('cancelled')
    await interactions.delete(id)
    await expect(interactions.get(id)).rejects.toMatchObject({ status: 404 })
    const previous = { previous_interaction_id: 'a'.repeat(32) }
    await expect(interactions.create({ ...VIDEO, ...previous })).rejects.toMatchObject({ status: 404 })
    expect(await sim.tasks.get(id)).toBeUndefined()
  })

  it('gives the errors of a failed interaction, and retries a 503', async () => {
    const error = { code: 'internal', message: 'Try again.' }
    const { interactions, sim, requests } = await start(open, {
      faults: [{ when: { operation: 'tasks.retrieve', nth: 1 }, then: 503 }],
      rules: [{ then: { outcome: 'failed', error } }],
    })
    const { id } = await interactions.create(VIDEO)
    await sim.clock.advance('1m')
    expect(await interactions.get(id)).toMatchObject({ status: 'failed', errors: [error] })
    expect(requests.filter(({ operation }) => operation === 'tasks.retrieve')).toHaveLength(2)
  })
})
