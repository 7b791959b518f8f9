import { expect, it } from 'vitest'
import { instrument } from '../../src/opentelemetry/index.js'
import { describeHosts, IMAGE, type Open } from '../http/hosts.js'
import { startReceiver } from '../http/receiver.js'
import { recordTelemetry } from './recorded.js'

const START = Date.UTC(2020, 0, 1)
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CLIENT = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'vendor=1' }
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

async function openTraced(open: Open, options: Parameters<Open>[0] = {}) {
  const telemetry = recordTelemetry()
  const client = await open({ start: new Date(START).toISOString(), ...options })
  const stop = instrument(client.sim, telemetry.providers)
  const create = (body: object, headers: Record<string, string> = CLIENT) =>
    client.send('/api/v1/tasks', {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify({ ...IMAGE, ...body }),
    })
  return { ...client, ...telemetry, stop, create }
}

const BUSY = { scenario: { defaults: { delay: '3s', queueing: '2s' } } } as const

describeHosts('the trace of a task', (open) => {
  it('continues that of the client, through the queue, the work and each webhook attempt', async () => {
    const { url, received } = await startReceiver((number, response) =>
      response.writeHead(number === 1 ? 503 : 200).end(),
    )
    const { sim, create, spans } = await openTraced(open, BUSY)
    const { id } = (await (await create({ webhook_url: `${url}?token=secret-1` })).json()) as { id: string }
    await sim.clock.advance('1m')
    const [request, ...others] = spans()
    expect(request).toMatchObject({ kind: 'SERVER', trace: TRACE, parent: 'b7ad6b7169203331', from: START })
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/tasks',
      'http.response.status_code': 200,
      'url.path': '/api/v1/tasks',
      'tasksim.operation': 'tasks.create',
      'tasksim.task.id': id,
    })
    expect(others.map(({ name, from, to, failed }) => [name, from - START, to - START, failed])).toEqual([
      ['queued', 0, 2_000, false],
      ['processing', 2_000, 5_000, false],
      ['POST webhook', 5_000, 5_000, true],
      ['POST webhook', 6_000, 6_000, false],
    ])
    for (const span of others) {
      expect(span).toMatchObject({ trace: TRACE, parent: request?.id })
      expect(span.attributes).toMatchObject({ 'tasksim.task.id': id, 'tasksim.clock.mode': 'manual' })
    }
    expect(received.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual(
      others.slice(2).map((span) => [`00-${TRACE}-${span.id}-01`, 'vendor=1']),
    )
    expect(others[3]?.attributes).toMatchObject({
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'tasksim.webhook.event': 'task.succeeded',
    })
    expect(JSON.stringify(spans())).not.toMatch(/secret-1|sk_live_local/)
  })

  it('says why a task failed, and that a canceled one never left the queue', async () => {
    const error = { code: 'content_policy', message: 'No.' }
    const rules = [
      { when: { model: 'acme/bad' }, then: { outcome: 'failed', error } },
      { then: { queueing: '1h' } },
    ] as const
    const { sim, create, post, spans } = await openTraced(open, { scenario: { rules: [...rules] } })
    await create({ model: 'acme/bad' })
    await sim.clock.advance('1m')
    const { id } = (await (await create({})).json()) as { id: string }
    await post(`/api/v1/tasks/${id}/cancel`)
    const ends = spans().filter(({ kind }) => kind === 'INTERNAL')
    expect(ends.map(({ name, failed }) => [name, failed])).toEqual([
      ['processing', true],
      ['queued', false],
    ])
    expect(ends[0]?.attributes).toMatchObject({
      'error.type': 'content_policy',
      'tasksim.task.status': 'failed',
      'tasksim.task.cost_usd': 0,
    })
    expect(ends[1]?.attributes).toMatchObject({ 'tasksim.task.status': 'canceled' })
  })

  it('starts with the request if the client sends none, or an invalid one, and none if it is not sampled', async () => {
    const { sim, create, spans } = await openTraced(open)
    await create({}, {})
    await create({}, { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` })
    await create({}, { traceparent: `00-${TRACE}-b7ad6b7169203331-00` })
    await sim.clock.advance('1m')
    const requests = spans().filter(({ kind }) => kind === 'SERVER')
    expect(requests.map(({ parent }) => parent)).toEqual([undefined, undefined])
    expect(new Set(spans().map(({ trace }) => trace))).toEqual(new Set(requests.map(({ trace }) => trace)))
    expect(spans()).toHaveLength(4)
  })

  it('has a request that was rejected or lost, and links polls that carry a trace to the task', async () => {
    const faults = [
      { when: { operation: 'tasks.create', nth: 1 }, then: 503 },
      { when: { operation: 'tasks.create', nth: 2 }, then: 'reset' },
    ] as const
    const { sim, create, send, get, spans } = await openTraced(open, { scenario: { faults: [...faults] } })
    await create({})
    await create({}).catch(() => {})
    const { id } = (await (await create({})).json()) as { id: string }
    await get(`/api/v1/tasks/${id}`)
    await send(`/api/v1/tasks/${id}`, { headers: { ...HEADERS, ...CLIENT } })
    const [rejected, lost, created, poll, ...others] = spans()
    expect(rejected).toMatchObject({ failed: true, attributes: { 'error.type': '503' } })
    expect(lost).toMatchObject({ failed: true, attributes: { 'error.type': 'undelivered' } })
    expect(poll).toMatchObject({ name: 'GET /api/v1/tasks/{task_id}', trace: TRACE, links: [created?.id] })
    expect(others).toEqual([])
    sim.close()
  })

  it('is the same for a task in a sandbox, and ends when it is stopped', async () => {
    const { url, received } = await startReceiver()
    const { sim, create, spans, stop } = await openTraced(open)
    const { identity } = sim.createSandbox()
    const authorization = `Bearer ${identity.key}`
    await create({}, { ...CLIENT, authorization })
    expect(spans()).toMatchObject([{ trace: TRACE, attributes: { 'tasksim.sandbox.id': identity.id } }])
    expect(() => instrument(sim)).toThrow('already instrumented')
    stop()
    await create({ webhook_url: url })
    await create({}, { ...CLIENT, authorization })
    await sim.clock.advance('1m')
    expect(spans()).toHaveLength(1)
    expect(received.map(({ headers }) => headers.traceparent)).toEqual([undefined])
  })
})

describeHosts('the metrics', (open) => {
  it('count requests, webhook attempts and tasks by the attributes of the semantic conventions', async () => {
    const { url } = await startReceiver((_, response) => response.writeHead(410).end())
    const { sim, origin, get, create, histogram } = await openTraced(open, BUSY)
    await create({ webhook_url: url })
    await get('/api/v1/tasks/task_unknown')
    await get('/api/v1/tasks/task_other')
    await get('/_sim/clock')
    await sim.clock.advance('1m')
    const scheme = new URL(origin).protocol.slice(0, -1)
    const common = { 'url.scheme': scheme, 'tasksim.dialect': 'tasks' }
    expect(await histogram('http.server.request.duration')).toEqual([
      {
        attributes: {
          ...common,
          'http.request.method': 'POST',
          'http.route': '/api/v1/tasks',
          'http.response.status_code': 200,
          'tasksim.operation': 'tasks.create',
        },
        count: 1,
        sum: expect.any(Number),
      },
      {
        attributes: {
          ...common,
          'http.request.method': 'GET',
          'http.route': '/api/v1/tasks/{task_id}',
          'http.response.status_code': 404,
          'tasksim.operation': 'tasks.retrieve',
        },
        count: 2,
        sum: expect.any(Number),
      },
    ])
    expect(await histogram('tasksim.task.duration')).toMatchObject([
      { attributes: { 'tasksim.task.kind': 'image', 'tasksim.task.status': 'succeeded' }, count: 1, sum: 5 },
    ])
    const { hostname, port } = new URL(url)
    expect(await histogram('http.client.request.duration')).toMatchObject([
      {
        attributes: {
          'server.address': hostname,
          'server.port': Number(port),
          'http.response.status_code': 410,
          'error.type': '410',
        },
        count: 1,
      },
    ])
  })
})
