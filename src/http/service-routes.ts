import { EXTENSIONS } from '../engine/assets/asset.js'
import { allowPages, downloadFile } from './files/download-file.js'
import type { Route } from './operation.js'
import { createTask } from './tasks/create-task.js'
import { listTasks } from './tasks/list-tasks.js'
import { cancelTask, retrieveTask } from './tasks/one-task.js'

/** Both prefixes, and both the plural and the singular form, lead to the same operations. */
const FURTHER_PREFIXES = ['/v1/tasks', '/api/v1/task', '/v1/task']

/** Every path of the service API. */
export const SERVICE_ROUTES: readonly Route[] = [
  taskRoute('', { methods: { GET: listTasks, POST: createTask } }),
  taskRoute('/{task_id}', { namesTask: true, methods: { GET: retrieveTask } }),
  taskRoute('/{task_id}/cancel', { namesTask: true, methods: { POST: cancelTask } }),
  {
    path: '/files/{task_id}/{file}',
    params: [/^task_[A-Za-z0-9]+$/, new RegExp(`^\\d+\\.(?:${EXTENSIONS.join('|')})$`)],
    namesTask: true,
    methods: { GET: downloadFile, OPTIONS: allowPages },
  },
]

function taskRoute(rest: string, route: Omit<Route, 'path' | 'aliases'>): Route {
  return {
    path: `/api/v1/tasks${rest}`,
    aliases: FURTHER_PREFIXES.map((prefix) => `${prefix}${rest}`),
    ...route,
  }
}
