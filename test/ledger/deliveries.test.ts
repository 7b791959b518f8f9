import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import type { Row } from '../../src/ledger/ledger.js'
import { recorder } from '../support/recorder.js'
import { create } from '../support/simulations.js'
import { MemoryLedger } from './memory-ledger.js'

const HOOK = 'http://receiver.test/hook'

/** Starts simulators one after the other, which share a ledger. */
function successors(options: SimulatorOptions, ledger = new MemoryLedger()) {
  return async (own: SimulatorOptions = {}) => {
    const sim = createSimulator({ clock: 'manual', ...options, ...own })
    const onDeposed = () => {}
    const writer = await persist(sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed })
    return { sim, writer }
  }
}

test('an attempt in flight is sent again, with the same id and the same body', async () => {
  const { posts, transport } = recorder((_, count) => (count === 1 ? new Promise(() => {}) : 200))
  const next = successors({ transport, patience: 20, scenario: { defaults: { delay: '1s' } } })
  const first = await next()
  await create(first.sim, { webhookUrl: HOOK })
  await first.sim.clock.advance('1s')
  expect(posts).toHaveLength(1)
  await first.writer.flush()
  first.sim.close()
  const { sim } = await next()
  await sim.settled()
  const [cut, again] = posts
  expect(again).toMatchObject({ url: HOOK, text: cut?.text, headers: cut?.headers })
  expect(sim.webhooks.log.list({ limit: 9 })?.deliveries).toMatchObject([{ state: 'delivered' }])
  sim.close()
})

test('a receiver that is a function gets what was pending', async () => {
  const received: string[] = []
  const receivers = [
    async (request: Request) => {
      received.push(await request.text())
      return new Response(null, { status: received.length === 1 ? 500 : 200 })
    },
  ]
  const next = successors({ receivers, scenario: { defaults: { delay: '1s' } } })
  const first = await next()
  await create(first.sim)
  await first.sim.clock.advance('1s')
  await first.writer.flush()
  first.sim.close()
  const { sim } = await next()
  await sim.clock.advance('1m')
  expect(received).toHaveLength(2)
  expect(received[1]).toBe(received[0])
  sim.close()
})

test('every commit with an end or a report of a task has its webhook', async () => {
  const missing: unknown[] = []
  class CheckedLedger extends MemoryLedger {
    override commit(...given: Parameters<MemoryLedger['commit']>) {
      const result = super.commit(...given)
      const courses = valuesOf(this, 'course')
      const ended = courses.filter(({ status }) => status === 'succeeded')
      const reported = courses.flatMap(({ followed }) => followed?.reported ?? [])
      const events = valuesOf(this, 'delivery').map(({ taskEvent }) => taskEvent)
      if (events.filter((event) => event === 'task.succeeded').length !== ended.length) missing.push(ended)
      for (const { topic, count } of reported)
        if (count > 0 && !events.includes(EVENTS[topic])) missing.push(topic)
      return result
    }
  }
  const ledger = new CheckedLedger()
  const next = successors({ transport: recorder(() => 200).transport }, ledger)
  const { sim, writer } = await next()
  await sim.dialects.load('replicate')
  for (let number = 0; number < 3; number++)
    await create(sim, {
      dialect: 'replicate',
      webhookUrl: HOOK,
      extra: { webhook_events_filter: ['output', 'logs', 'completed'] },
      input: { prompt: `picture ${number}`, n: 3 },
      follow: { logs: 500, outputs: 500 },
    })
  await sim.clock.advance('1m')
  await writer.flush()
  expect(missing).toEqual([])
  expect(new Set(valuesOf(ledger, 'delivery').map(({ taskEvent }) => taskEvent))).toEqual(
    new Set(['task.started', 'task.logs', 'task.output', 'task.succeeded']),
  )
  expect(valuesOf(ledger, 'course').map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
  sim.close()
})

const EVENTS: Readonly<Record<string, string>> = { logs: 'task.logs', outputs: 'task.output' }

test('a delivery that the log evicts is deleted from the ledger', async () => {
  const ledger = new MemoryLedger()
  const next = successors(
    {
      transport: recorder(() => 200).transport,
      keepBytes: '1500kB',
      scenario: { defaults: { delay: '1s' } },
    },
    ledger,
  )
  const { sim, writer } = await next()
  for (let number = 0; number < 400; number++) {
    await create(sim, { input: { number, prompt: 'x'.repeat(4_000) }, webhookUrl: HOOK })
    await sim.clock.advance('1s')
  }
  await writer.flush()
  const kept = [...sim.webhooks.log.ended()]
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.length).toBeLessThan(400)
  expect(valuesOf(ledger, 'delivery').map(({ id }) => id)).toEqual(kept.map(({ id }) => id).sort())
  expect(rowsOf(ledger, 'delivery course')).toHaveLength(kept.length)
  sim.close()
})

function rowsOf(ledger: MemoryLedger, kind: string): Row[] {
  return ledger.rows().filter((row) => row.kind === kind)
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any part of a row
function valuesOf(ledger: MemoryLedger, kind: string): any[] {
  return rowsOf(ledger, kind).map(({ json }) => JSON.parse(json ?? 'null'))
}
