import OpenAI from 'openai'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { expect, it } from 'vitest'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { describeClient, type Open } from './describe-client.js'

const OPENAI = { name: 'openai', baseUrl: 'https://api.openai.com/v1', path: '/openai/v1' }
const ORDER = { model: 'o3', input: 'Write about the sea.', stream: true } as const
const IN_BACKGROUND = { ...ORDER, background: true } as const
const SEA = { defaults: { reply: { text: 'The sea is wide.' } } } as const
const WEATHER = {
  type: 'function',
  name: 'weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  strict: true,
} as const

type Events = AsyncIterable<ResponseStreamEvent>

async function start(open: Open, ...scenario: Parameters<Open>) {
  const service = await open(...scenario)
  const openai = new OpenAI({ baseURL: service.baseUrl, apiKey: 'openai-key', maxRetries: 0 })
  const finish = <Value>(work: Promise<Value>) => advanceUntilDone(service.sim, work, service.inFlight)
  const read = (stream: PromiseLike<Events>) => finish(eventsOf(stream))
  return { ...service, openai, read, finish }
}

async function eventsOf(stream: PromiseLike<Events>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = []
  for await (const event of await stream) events.push(event)
  return events
}

/** Reads a stream up to the event with a number, and leaves it. */
async function readUpTo(last: number, stream: PromiseLike<Events>): Promise<ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = []
  for await (const event of await stream) {
    events.push(event)
    if (event.sequence_number === last) break
  }
  return events
}

/** Waits without a timer, which would advance the clock. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
}

const typesOf = (events: readonly ResponseStreamEvent[]) => events.map(({ type }) => type)

function idIn([first]: readonly ResponseStreamEvent[]): string {
  if (first?.type !== 'response.created') throw new Error('The stream does not begin with its response.')
  return first.response.id
}

describeClient(OPENAI, (open) => {
  it('streams a response in the background in the order of the service', async () => {
    const { sim, openai, read, requests } = await start(open, SEA)
    const events = await read(openai.responses.create({ ...IN_BACKGROUND, reasoning: { effort: 'low' } }))
    expect(typesOf(events)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      ...Array(4).fill('response.output_text.delta'),
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
    const statuses = events.flatMap((event) => ('response' in event ? [event.response.status] : []))
    expect(statuses).toEqual(['queued', 'queued', 'in_progress', 'completed'])
    const deltas = events.flatMap((event) =>
      event.type === 'response.output_text.delta' ? [event.delta, event.output_index] : [],
    )
    expect(deltas).toEqual(['The', 1, ' sea', 1, ' is', 1, ' wide.', 1])
    const last = events.at(-1)
    const { output_text: _, _request_id, ...polled } = await openai.responses.retrieve(idIn(events))
    expect(last?.type === 'response.completed' && last.response).toEqual(polled)
    expect(requests.map(({ operation }) => operation)).toEqual(['tasks.create', 'tasks.retrieve'])
    expect((await sim.verdict()).findings).toEqual([])
  })

  it('streams a synchronous response, which never shows the queue', async () => {
    const { openai, read } = await start(open, { ...SEA, capacity: { running: 1 } })
    const [first, second] = await Promise.all([
      read(openai.responses.create(ORDER)),
      read(openai.responses.create(ORDER)),
    ])
    for (const events of [first, second]) {
      expect(typesOf(events).slice(0, 3)).toEqual([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
      ])
      const [created] = events
      expect(created).toMatchObject({ response: { status: 'in_progress', background: false } })
    }
  })

  it('sends each event at its time on the clock', async () => {
    const { sim, openai } = await start(open, { ...SEA, capacity: { running: 1 } })
    await openai.responses.create({ ...ORDER, stream: false, background: true })
    const seen: string[] = []
    const read = async () => {
      for await (const { type } of await openai.responses.create(IN_BACKGROUND))
        if (!/added|done/.test(type)) seen.push(type)
    }
    const reading = read()
    const seenAfter = async (milliseconds: number, count: number) => {
      await sim.clock.advance(milliseconds)
      await until(() => seen.length >= count)
      return [seen.length, seen.at(-1)]
    }
    expect(await seenAfter(0, 2)).toEqual([2, 'response.queued'])
    expect(await seenAfter(10_000, 3)).toEqual([3, 'response.in_progress'])
    expect(await seenAfter(2_499, 3)).toEqual([3, 'response.in_progress'])
    expect(await seenAfter(1, 4)).toEqual([4, 'response.output_text.delta'])
    expect(await seenAfter(5_000, 6)).toEqual([6, 'response.output_text.delta'])
    expect(await seenAfter(2_500, 8)).toEqual([8, 'response.completed'])
    await reading
  })

  it('streams the arguments of a tool call, which the helper puts together', async () => {
    const { openai, finish } = await start(open)
    const stream = openai.responses.stream({ ...ORDER, tools: [WEATHER], tool_choice: 'required' })
    const snapshots: string[] = []
    stream.on('response.function_call_arguments.delta', ({ snapshot }) => snapshots.push(snapshot))
    const types: string[] = []
    stream.on('event', ({ type }) => types.push(type))
    const { output } = await finish(stream.finalResponse())
    const [call] = output
    if (call?.type !== 'function_call') throw new Error('The model called no tool.')
    expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) })
    expect([snapshots.length > 1, snapshots.at(-1), call.status]).toEqual([true, call.arguments, 'completed'])
    expect(new Set(types)).toEqual(
      new Set([
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done',
        'response.completed',
      ]),
    )
  })

  it('resumes after any event with the same events, while it runs and after its end', async () => {
    const { openai, read, finish } = await start(open, SEA)
    const whole = await read(openai.responses.create(IN_BACKGROUND))
    const resume = (id: string, starting_after: number) =>
      openai.responses.retrieve(id, { stream: true, starting_after })
    const id = idIn(whole)
    for (const { sequence_number: last } of whole)
      expect(await read(resume(id, last))).toEqual(whole.slice(last + 1))
    expect(await read(openai.responses.retrieve(id, { stream: true }))).toEqual(whole)

    const begun = await finish(readUpTo(6, openai.responses.create(IN_BACKGROUND)))
    const rest = await read(resume(idIn(begun), 6))
    const again = await read(openai.responses.retrieve(idIn(begun), { stream: true }))
    expect([...begun, ...rest]).toEqual(again)
    expect(typesOf(again)).toEqual(typesOf(whole))
  })

  it('resumes after a fault has cut the stream', async () => {
    const when = { operation: 'tasks.create' } as const
    const { openai, read, requests, finish, breaksOff } = await start(open, {
      ...SEA,
      faults: [{ when, then: { cut: 0.5 } }],
    })
    const events: ResponseStreamEvent[] = []
    const broken = async () => {
      for await (const event of await openai.responses.create(IN_BACKGROUND)) events.push(event)
    }
    if (breaksOff) await expect(finish(broken())).rejects.toThrow()
    else await finish(broken())
    // Half of the 13 events that would follow, of which MSW 3 loses some.
    if (breaksOff) expect(events).toHaveLength(6)
    const last = events.length - 1
    const rest = await read(openai.responses.retrieve(idIn(events), { stream: true, starting_after: last }))
    expect([...events, ...rest].map(({ sequence_number: number }) => number)).toEqual([...Array(13).keys()])
    expect(requests.map(({ operation }) => operation)).toEqual(['tasks.create', 'tasks.stream'])
  })

  it('gives the helper the final response, also of a response that it finds by its id', async () => {
    const { openai, finish } = await start(open, SEA)
    const stream = openai.responses.stream({ ...IN_BACKGROUND })
    const { id, status, output_text } = await finish(stream.finalResponse())
    expect([status, output_text]).toEqual(['completed', 'The sea is wide.'])
    const later = openai.responses.stream({ response_id: id, starting_after: 8 })
    const numbers: number[] = []
    later.on('event', ({ sequence_number: number }) => numbers.push(number))
    expect((await finish(later.finalResponse())).output_text).toBe('The sea is wide.')
    expect(numbers).toEqual([9, 10, 11, 12])
  })

  it('ends an incomplete response with what it has', async () => {
    const { openai, read } = await start(open, {
      defaults: { reply: { text: 'The sea', finish_reason: 'length' } },
    })
    const events = await read(openai.responses.create(ORDER))
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    })
    expect(events.at(-2)).toMatchObject({ type: 'response.output_item.done', item: { status: 'incomplete' } })
  })

  it('ends with the failure, which is not thrown', async () => {
    const { openai, read, finish } = await start(open, { ...SEA, rules: [{ then: { outcome: 'failed' } }] })
    const events = await read(openai.responses.create(IN_BACKGROUND))
    expect(typesOf(events)).not.toContain('response.output_text.done')
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' }, output: [] },
    })
    const again = await read(openai.responses.retrieve(idIn(events), { stream: true }))
    expect(again).toEqual(events)
    const helper = openai.responses.stream({ ...IN_BACKGROUND })
    expect(await finish(helper.finalResponse())).toMatchObject({ status: 'failed' })
  })

  it('sends an error before the failure of a response that exceeds a limit', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Limit 30000, Requested 35364.' }
    const { openai, finish } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const failing = finish(eventsOf(openai.responses.create(ORDER)))
    await expect(failing).rejects.toMatchObject({ code: 'rate_limit_exceeded', message: error.message })
  })

  it.each(['cancel', 'delete'] as const)(
    'ends without a further event after a %s, and leaves the helper with the state so far',
    async (end) => {
      const { sim, openai } = await start(open, SEA)
      const stream = openai.responses.stream({ ...IN_BACKGROUND })
      const types: string[] = []
      stream.on('event', ({ type }) => types.push(type))
      const created = new Promise<string>((resolve) => {
        stream.once('response.created', ({ response }) => resolve(response.id))
      })
      const id = await created
      await sim.clock.advance('3s')
      await openai.responses[end](id)
      expect(await stream.finalResponse()).toMatchObject({ status: 'in_progress', output_text: 'The' })
      expect(types.at(-1)).toBe('response.output_text.delta')
    },
  )

  it('waits for a response that never ends until the client leaves', async () => {
    const { sim, openai, requests } = await start(open, { ...SEA, rules: [{ then: { outcome: 'stuck' } }] })
    const stream = await openai.responses.create(IN_BACKGROUND)
    const seen: string[] = []
    const read = async () => {
      for await (const { type } of stream) seen.push(type)
    }
    const reading = read()
    await sim.clock.advance('1h')
    await until(() => seen.length > 7)
    expect(seen.filter((type) => type === 'response.output_text.delta')).toHaveLength(3)
    stream.controller.abort()
    await reading
    await until(() => requests.length > 0)
    expect(requests).toMatchObject([{ operation: 'tasks.create', delivered: false }])
  })

  it('ends a stream when the client cancels its body, and keeps the response', async () => {
    const { sim, openai, read, requests } = await start(open, SEA)
    const { body } = await openai.responses.create(IN_BACKGROUND).asResponse()
    const reader = body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    await reader?.cancel()
    await until(() => requests.length > 0)
    expect(requests).toMatchObject([{ delivered: false }])
    await sim.clock.advance('10s')
    const [id = ''] = /resp_\w+/.exec(new TextDecoder().decode(value)) ?? []
    expect(typesOf(await read(openai.responses.retrieve(id, { stream: true })))).toHaveLength(13)
  })

  it('rejects what the service does not stream, but not polls', async () => {
    const { sim, openai, read } = await start(open, SEA)
    const rejectionOf = async (id: string) => {
      const { message, status } = await openai.responses
        .retrieve(id, { stream: true })
        .catch((error) => error)
      return { message, status }
    }
    const synchronous = idIn(await read(openai.responses.create(ORDER)))
    const polled = await openai.responses.create({ ...IN_BACKGROUND, stream: false })
    const old = idIn(await read(openai.responses.create(IN_BACKGROUND)))
    await sim.clock.advance('291s')
    expect([await rejectionOf(synchronous), await rejectionOf(polled.id), await rejectionOf(old)]).toEqual([
      { message: expect.stringContaining('not created with background=true'), status: 400 },
      { message: expect.stringContaining('not created with stream=true'), status: 400 },
      { message: expect.stringContaining('more than 5 minutes old'), status: 400 },
    ])
    expect((await openai.responses.retrieve(old)).status).toBe('completed')
  })

  it('rejects a number that no event can have, and finds no other response', async () => {
    const { openai, read } = await start(open, SEA)
    const id = idIn(await read(openai.responses.create(IN_BACKGROUND)))
    const resume = (id: string, starting_after: number) =>
      openai.responses.retrieve(id, { stream: true, starting_after })
    await expect(resume(id, -2)).rejects.toMatchObject({ status: 400, param: 'starting_after' })
    await expect(resume('resp_0', 0)).rejects.toThrow(OpenAI.NotFoundError)
    const video = await openai.videos.create({ prompt: 'waves' })
    await expect(resume(video.id, 0)).rejects.toThrow(OpenAI.NotFoundError)
  })
})
