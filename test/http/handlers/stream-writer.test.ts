import { expect, it } from 'vitest'
import type { StreamOperation } from '../../../src/dialects/table/dialect-table.generated.js'
import { type StreamForm, StreamWriter } from '../../../src/http/handlers/lazy/stream-writer.js'
import { ACME, callOf, PLACE } from '../../dialects/table/acme.js'
import { create, simulate } from '../../support/simulations.js'

const LINES = ['one', 'two'].map((message) => ({ at: 0, level: 'info' as const, message }))
const EVENTS: StreamOperation['events'] = { processing: { event: 'state', data: '{{task}}' } }

async function streamOf(stream: StreamForm, query = '') {
  const table = { ...ACME, log_line: { text: '{{message}}' }, headers: { 'X-Id': '{{id}}' } }
  const sim = simulate({ scenario: { defaults: { delay: '5s' } } })
  const task = await create(sim)
  const call = callOf(sim, task, query)
  return { writer: new StreamWriter(stream, { ...PLACE, table }), task, call }
}

it('a change of the state is an event with the new log lines', async () => {
  const { writer, task, call } = await streamOf({ events: EVENTS })
  const data = { id: task.id, status: 'busy', logs: [{ text: 'one' }, { text: 'two' }] }
  expect(writer.write({ topic: 'change', task, logs: LINES }, 0, call)).toEqual([
    `event: state\ndata: ${JSON.stringify(data)}\n\n`,
  ])
  expect(writer.headers(task, call)).toEqual({ 'x-id': task.id })
  expect([writer.hasChanges, writer.hasLogs(call), writer.hasParts]).toEqual([true, true, false])
})

it('a client that does not ask for log lines gets none', async () => {
  const stream = { events: EVENTS, logs_if: '{{query.logs | equals 1}}' }
  const { writer, task, call } = await streamOf(stream, 'logs=0')
  expect(writer.hasLogs(call)).toBe(false)
  expect(writer.write({ topic: 'change', task, logs: LINES }, 0, call).join()).toContain('"logs":null')
  const asking = await streamOf(stream, 'logs=1')
  expect(asking.writer.hasLogs(asking.call)).toBe(true)
})

it('a stream of parts alone has no changes of the state', async () => {
  const { writer, task, call } = await streamOf({ events: { output: { data: '{{part}}' } } })
  expect([writer.hasChanges, writer.hasLogs(call), writer.hasParts]).toEqual([false, false, true])
  expect(writer.write({ topic: 'change', task, logs: LINES }, 0, call)).toEqual([])
  expect(writer.write({ topic: 'part', task, part: 'a\nb' }, 0, call)).toEqual(['data: a\ndata: b\n\n'])
})
