import { parseRecording } from 'tasksim'
import { type Check, expectEqual } from '../../support/check.js'
import { create, poll } from './client.js'
import { BASE_URL, mockApi } from './mocked-api.js'

const AT = Date.parse('2026-11-22T10:00:00Z')
const ID = 'task_vHWw4vHrbpTLgRKcX8SQo8vw'
const INPUT = { prompt: 'a lighthouse' }

const timeAt = (after: number) => new Date(AT + after).toISOString()

/** A line of a recording: a request `after` milliseconds, and the state of the task in its answer. */
function exchange(after: number, method: string, path: string, state: object): string {
  const isCreate = method === 'POST'
  const headers = { 'content-type': 'application/json' }
  const body = isCreate && { body: { json: { model: 'acme/image-1', input: INPUT } } }
  const task = { id: ID, model: 'acme/image-1', created_at: timeAt(0), from: 'the recording', ...state }
  return JSON.stringify({
    type: 'exchange',
    at: timeAt(after),
    took: 0,
    request: { method, url: `${BASE_URL}${path}`, headers, ...body },
    response: { status: 200, headers, body: { json: task } },
  })
}

const RECORDING = [
  JSON.stringify({
    tasksim: 'recording',
    version: 1,
    dialect: 'tasks',
    upstream: [new URL(BASE_URL).origin],
    started_at: timeAt(0),
    salt: '0123456789abcdef0123456789abcdef',
  }),
  exchange(0, 'POST', '/tasks', { status: 'processing' }),
  exchange(7_000, 'GET', `/tasks/${ID}`, {
    status: 'failed',
    error: { code: 'content_policy', message: 'Rejected.' },
    completed_at: timeAt(7_000),
  }),
].join('\n')

export const recordingChecks: readonly Check[] = [
  {
    title: 'a recording is replayed on the clock, with the answers of the real service',
    async run() {
      const sim = mockApi({ scenario: await parseRecording(RECORDING) })
      const { id } = await create('acme/image-1', INPUT)
      expectEqual('the id', id, ID)
      await sim.clock.advance('6999ms')
      expectEqual('the status', (await poll(id)).status, 'processing')
      await sim.clock.advance('1ms')
      const failed: object = await poll(id)
      expectEqual('the error', Reflect.get(failed, 'error'), { code: 'content_policy', message: 'Rejected.' })
      expectEqual('a field that only the service sends', Reflect.get(failed, 'from'), 'the recording')
    },
  },
]
