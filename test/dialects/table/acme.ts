import type { Call } from '../../../src/dialects/call.js'
import type { DialectTable } from '../../../src/dialects/table/dialect-table.generated.js'
import { endpointOf } from '../../../src/dialects/table/requests/endpoint.js'
import type { Simulator, Task } from '../../../src/index.js'

/** A small dialect. */
export const ACME: DialectTable = {
  name: 'acme',
  title: 'Acme',
  ids: { characters: 'hex', length: 8 },
  statuses: {
    queued: { word: 'new' },
    processing: { word: 'busy', fields: { logs: '{{log_lines}}' } },
    succeeded: { word: 'done' },
    failed: { word: 'done' },
    canceled: { word: 'done' },
  },
  task: { id: '{{id}}', status: '{{status}}' },
  error: { body: {} },
  operations: [],
}

const PATH = '/jobs/{task_id}'

/** Where the operations of the tests are. */
export const PLACE = endpointOf(ACME, PATH)

/** A request about a task. */
export function callOf(sim: Simulator, { id }: Task, query = ''): Call {
  const path = `/acme/jobs/${id}`
  const body = async () => new Uint8Array()
  const request = { method: 'GET', path, query, origin: 'https://acme.test', header: () => undefined, body }
  return { sim, request, params: [id], key: 'sk_one' }
}
