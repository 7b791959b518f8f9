import { base62 } from '../../engine/random.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import type { Dialect, DialectRoute } from '../dialect.js'
import { createAction } from './create-action.js'
import { styledError } from './error-reply.js'
import { listAction } from './list-action.js'
import { cancelAction, retrieveAction } from './task-actions.js'
import { taskWebhooks } from './webhooks.js'

/** Both prefixes, and both the plural and the singular form, lead to the same operations. */
const FURTHER_PREFIXES = ['/v1/tasks', '/api/v1/task', '/v1/task']

function taskRoute(rest: string, methods: DialectRoute['methods']): DialectRoute {
  return {
    path: `/api/v1/tasks${rest}`,
    aliases: FURTHER_PREFIXES.map((prefix) => `${prefix}${rest}`),
    methods,
  }
}

/** The asynchronous task service that tasksim serves by default. */
export const tasks: Dialect = {
  name: 'tasks',
  hosts: [],
  help: () =>
    'Tasks are at /api/v1/tasks and /v1/tasks, the dashboard is at /_sim/, and /_sim/docs describes all that there is.',
  routes: [
    taskRoute('', { GET: listAction, POST: createAction }),
    taskRoute('/{task_id}', { GET: retrieveAction }),
    taskRoute('/{task_id}/cancel', { POST: cancelAction }),
  ],
  key: { header: 'Authorization', scheme: 'Bearer' },
  answers: {
    list: 'data',
    id: 'id',
    status: 'status',
    words: Object.fromEntries(STATUSES.map((status) => [status, status])) as Record<Status, Status>,
  },
  taskIds: { pattern: /^task_[A-Za-z0-9]+$/, draw: (random) => base62(random, 24, 'task_') },
  error: (rejection, requestId, { api }) => styledError(rejection, requestId, api.errors),
  webhooks: ({ webhooks }) => taskWebhooks(webhooks),
}
