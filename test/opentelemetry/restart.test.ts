import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.js'
import { rowsOf } from '../../src/ledger/spaces.js'
import { instrument } from '../../src/opentelemetry/index.js'
import { restoreSimulator } from '../ledger/restore-simulator.js'
import { recordTelemetry } from './recorded.js'

const OPTIONS = { clock: 'manual', scenario: { defaults: { queueing: '1s', delay: '1s' } } } as const

test('a task stays in its trace after a restart, and so does one of a sandbox', async () => {
  const before = recordTelemetry()
  const sent: (string | undefined)[] = []
  const options = {
    ...OPTIONS,
    receivers: [
      (request: Request) => {
        sent.push(request.headers.get('traceparent') ?? undefined)
        return new Response()
      },
    ],
  }
  const order = { owner: 'sk_one', model: 'acme/image-1', input: {}, webhookUrl: undefined, origin: '' }
  const first = createSimulator(options)
  instrument(first, before.providers)
  await first.create(order)
  await first.createSandbox().sim.create(order)
  const rows = [...rowsOf(first)]
  first.close()

  const after = recordTelemetry()
  const second = createSimulator(options)
  instrument(second, after.providers)
  await restoreSimulator(second, rows)
  await second.clock.advance('1m')
  await second.sandboxes.list()[0]?.sim.clock.advance('1m')
  const [one, two] = before.spans()
  const spans = after.spans()
  expect(spans.filter(({ trace }) => trace === one?.trace).map(({ name }) => name)).toEqual([
    'queued',
    'processing',
    'POST webhook',
  ])
  expect(spans.filter(({ trace }) => trace === two?.trace).map(({ name }) => name)).toEqual([
    'queued',
    'processing',
  ])
  expect(new Set(spans.map(({ parent }) => parent))).toEqual(new Set([one?.id, two?.id]))
  const [webhook] = spans.filter(({ kind }) => kind === 'CLIENT')
  expect(sent).toEqual([`00-${one?.trace}-${webhook?.id}-01`])
  second.close()
})
