/** A dialect file, and the operation that creates its tasks. */
export const CREATE = { action: 'create', kind: 'image', model: 'm', input: '{{body}}' } as const
export const ACME = {
  name: 'acme',
  title: 'Acme',
  hosts: ['https://api.acme.example'],
  key: { scheme: 'Bearer' },
  ids: { characters: 'hex' },
  poll_interval: '1s',
  statuses: {
    queued: 'waiting',
    processing: 'running',
    succeeded: 'done',
    failed: 'broken',
    canceled: 'stopped',
  },
  task: { id: '{{id}}', state: '{{status}}' },
  error: { body: { message: '{{message}}' } },
  operations: { 'POST /jobs': CREATE, 'GET /jobs/{task_id}': 'retrieve' },
} as const
