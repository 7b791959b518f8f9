import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { problemLogger, readOtelSettings } from '../../src/cli/start-telemetry.js'
import { deepTest } from '../support/deep.js'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

interface Received {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  // biome-ignore lint/suspicious/noExplicitAny: OTLP as JSON
  readonly body: any
}

/** A collector that keeps the JSON that it gets. */
async function startCollector() {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    received.push({ path: request.url ?? '', headers: request.headers, body })
    response.setHeader('content-type', 'application/json')
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received }
}

const attributeOf = (attributes: readonly { key: string; value: object }[], key: string) =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0]

/** A client that creates a task, and gets its end with the first poll. */
const CLIENT = `
  const { TASKSIM_URL, TASKSIM_API_KEY } = process.env
  const headers = { authorization: 'Bearer ' + TASKSIM_API_KEY, 'content-type': 'application/json' }
  headers.traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const { id } = await (await fetch(TASKSIM_URL + '/tasks', { method: 'POST', headers, body })).json()
  await (await fetch(TASKSIM_URL + '/tasks/' + id, { headers })).text()
`

deepTest('a server sends traces and metrics to a collector, also when it is stopped', async () => {
  const { url, received } = await startCollector()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=media',
    OTEL_SERVICE_NAME: 'fake-media',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const server = start(folderWith(), ['instant', '--port', '0', '--otel'], env)
  const [, origin] = await server.printed(/(http:\/\/[\w.]+:\d+)/)
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
  await (await fetch(`${origin}/v1/tasks`, { method: 'POST', headers, body })).text()
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.stderr()).toBe('')
  const traces = received.filter(({ path }) => path === '/v1/traces')
  const resources = traces.flatMap((each) => each.body.resourceSpans)
  const spans = resources.flatMap((each) => each.scopeSpans).flatMap((each) => each.spans)
  expect(spans.map(({ name }) => name).sort()).toEqual(['POST /api/v1/tasks', 'processing'])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(attributeOf(resources[0].resource.attributes, 'service.name')).toBe('fake-media')
  expect(traces[0]?.headers['x-team']).toBe('media')
  const metrics = received
    .filter(({ path }) => path === '/v1/metrics')
    .flatMap((each) => each.body.resourceMetrics)
  const names = metrics.flatMap((each) => each.scopeMetrics).flatMap((each) => each.metrics)
  expect(new Set(names.map(({ name }) => name))).toEqual(
    new Set(['http.server.request.duration', 'tasksim.task.duration']),
  )
})

deepTest('exec sends the trace of its client, and survives a collector that is down', async () => {
  const { url, received } = await startCollector()
  const args = [
    'exec',
    'instant',
    '--otel',
    '--fail-on',
    'error',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    CLIENT,
  ]
  const good = start(folderWith(), args, { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_METRICS_EXPORTER: 'none' })
  expect(await good.ended, good.stderr()).toBe(0)
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']))
  expect(JSON.stringify(received[0]?.body)).toContain('0af7651916cd43dd8448eb211c80319c')
  const bad = start(folderWith(), args, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(await bad.ended).toBe(0)
  expect(bad.stderr()).toMatch(/tasksim: OpenTelemetry: .+/)
})

it('the export of traces and metrics rejects what the exporters do not support', async () => {
  const exec = (env: Record<string, string>) =>
    runInProcess(folderWith(), ['exec', '--otel', '--', 'true'], env)
  const grpc = exec({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  expect(await grpc.ended).toBe(1)
  expect(grpc.stderr()).toContain('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json for tasksim; got "grpc".')
  expect(() => readOtelSettings({ OTEL_TRACES_EXPORTER: 'jaeger' })).toThrow('must be otlp or none')
  expect(() => readOtelSettings({ OTEL_BSP_SCHEDULE_DELAY: '5s' })).toThrow('whole number of milliseconds')
})

it('the export of traces and metrics is off if the standard variables disable it', () => {
  expect(readOtelSettings({ OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(readOtelSettings({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })).toBeUndefined()
  expect(readOtelSettings({ OTEL_TRACES_EXPORTER: 'none' })).toMatchObject({
    sendsTraces: false,
    sendsMetrics: true,
  })
})

it('the export of traces and metrics prints each problem of the SDK once, without its stack', () => {
  const lines: string[] = []
  const log = problemLogger((line) => lines.push(line))
  log.error('{"stack":"Error: x\\n at y","message":"connect ECONNREFUSED"}')
  log.error('{"stack":"Error: x\\n at z","message":"connect ECONNREFUSED"}')
  log.debug('nothing')
  expect(lines).toEqual(['tasksim: OpenTelemetry: connect ECONNREFUSED\n'])
})
