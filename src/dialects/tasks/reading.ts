import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { DialectTable } from '../table/model/dialect-table.js'

/** The dialect `tasks` as a table, as far as reading its answers needs one. */
export const taskTable: DialectTable = {
  name: 'tasks',
  title: 'Tasks',
  ids: { prefix: 'task_', characters: 'base62', length: 24 },
  task: {
    id: '{{id}}',
    model: '{{model}}',
    status: '{{status}}',
    input: '{{input}}',
    cost_usd: '{{cost}}',
    created_at: '{{created_at}}',
    completed_at: '{{completed_at}}',
  },
  statuses: {
    ...(Object.fromEntries(STATUSES.map((word) => [word, { word }])) as Record<Status, { word: Status }>),
    succeeded: { word: 'succeeded', fields: { output: '{{output}}' } },
    failed: { word: 'failed', fields: { error: '{{error}}' } },
  },
  error: { body: {} },
  operations: [
    {
      method: 'GET',
      path: '/api/v1/tasks',
      action: 'list',
      answer: { data: '{{tasks}}', has_more: '{{has_more}}', next_cursor: '{{next_cursor}}' },
      limit: { max: 100 },
      after: 'after',
    },
  ],
}
