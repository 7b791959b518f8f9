import { EXTENSIONS } from '../core/asset/asset.js'
import { allowPages } from './assets/allow-pages.js'
import { downloadFile } from './assets/download-file.js'
import { readClock } from './control/clock/read-clock.js'
import { turnClock } from './control/clock/turn-clock.js'
import { readJournal } from './control/journal/read-journal.js'
import { streamJournal } from './control/journal/stream-journal.js'
import { observe } from './control/observe.js'
import { previewScenario } from './control/preview/preview-scenario.js'
import { readFindings } from './control/read-findings.js'
import { readMetrics } from './control/read-metrics.js'
import { readHealth, readState } from './control/read-state.js'
import { resetSimulator } from './control/reset.js'
import { createSandbox, deleteSandbox, listSandboxes, readSandbox } from './control/sandboxes/sandboxes.js'
import { patchScenario, readScenario, replaceScenario } from './control/scenario/scenario.js'
import { listAllTasks } from './control/tasks/list-tasks.js'
import { finishTask, holdTask, readTask, releaseTask } from './control/tasks/one-task.js'
import { readTaskFile } from './control/tasks/task-file.js'
import { listDeliveries, readDelivery, redeliver } from './control/webhooks/deliveries.js'
import { addReceiver, listReceivers, removeReceiver } from './control/webhooks/receivers.js'
import { triggerWebhook } from './control/webhooks/trigger.js'
import { readDocument } from './openapi/read-document.js'
import { readPage } from './openapi/read-page.js'
import type { Route } from './route.js'
import { cancelTask } from './tasks/cancel-task.js'
import { createTask } from './tasks/create-task.js'
import { listTasks } from './tasks/list-tasks.js'
import { retrieveTask } from './tasks/retrieve-task.js'

/** Both prefixes, and both the plural and the singular form, lead to the same operations. */
const TASKS = '(?:/api)?/v1/tasks?'

/** Every operation of the service: the one table that all hosts answer from. */
export const ROUTES: readonly Route[] = [
  { path: whole(`${TASKS}/([^/]+)`), methods: { GET: retrieveTask } },
  { path: whole(TASKS), methods: { GET: listTasks, POST: createTask } },
  { path: whole(`${TASKS}/([^/]+)/cancel`), methods: { POST: cancelTask } },
  { path: whole('/_sim/health'), methods: { GET: readHealth } },
  { path: whole('/_sim/state'), methods: { GET: readState } },
  { path: whole('/_sim/metrics'), methods: { GET: readMetrics } },
  { path: whole('/_sim/clock'), methods: { GET: readClock, POST: turnClock } },
  { path: whole('/_sim/reset'), methods: { POST: resetSimulator } },
  {
    path: whole('/_sim/scenario'),
    methods: { GET: readScenario, PUT: replaceScenario, PATCH: patchScenario },
  },
  { path: whole('/_sim/preview'), methods: { POST: previewScenario } },
  { path: whole('/_sim/tasks'), methods: { GET: listAllTasks } },
  { path: whole('/_sim/tasks/([^/]+)'), methods: { GET: readTask } },
  { path: whole('/_sim/tasks/([^/]+)/finish'), methods: { POST: finishTask } },
  { path: whole('/_sim/tasks/([^/]+)/files/(\\d{1,3})'), methods: { GET: readTaskFile } },
  { path: whole('/_sim/tasks/([^/]+)/hold'), methods: { POST: holdTask } },
  { path: whole('/_sim/tasks/([^/]+)/release'), methods: { POST: releaseTask } },
  { path: whole('/_sim/observations'), methods: { POST: observe } },
  { path: whole('/_sim/receivers'), methods: { GET: listReceivers, POST: addReceiver } },
  { path: whole('/_sim/receivers/([^/]+)'), methods: { DELETE: removeReceiver } },
  { path: whole('/_sim/deliveries'), methods: { GET: listDeliveries } },
  { path: whole('/_sim/deliveries/([^/]+)'), methods: { GET: readDelivery } },
  { path: whole('/_sim/deliveries/([^/]+)/redeliver'), methods: { POST: redeliver } },
  { path: whole('/_sim/webhooks/trigger'), methods: { POST: triggerWebhook } },
  { path: whole('/_sim/journal'), methods: { GET: readJournal } },
  { path: whole('/_sim/stream'), methods: { GET: streamJournal } },
  { path: whole('/_sim/findings'), methods: { GET: readFindings } },
  { path: whole('/_sim/openapi\\.json'), methods: { GET: readDocument('control', () => ROUTES) } },
  { path: whole('/_sim/service\\.openapi\\.json'), methods: { GET: readDocument('service', () => ROUTES) } },
  { path: whole('/_sim/docs'), methods: { GET: readPage(() => ROUTES) } },
  { path: whole('/_sim/sandboxes'), methods: { GET: listSandboxes, POST: createSandbox } },
  { path: whole('/_sim/sandboxes/([^/]+)'), methods: { GET: readSandbox, DELETE: deleteSandbox } },
  {
    path: whole(`/files/(?:sb_\\w+/)?(task_[A-Za-z0-9]+)/(\\d+)\\.(?:${EXTENSIONS.join('|')})`),
    methods: { GET: downloadFile, OPTIONS: allowPages },
  },
]

function whole(path: string): RegExp {
  return new RegExp(`^${path}/?$`)
}

/** Finds the route of a path, and what its groups hold. */
export function findRoute(path: string): { route: Route; params: readonly string[] } | undefined {
  for (const route of ROUTES) {
    const match = route.path.exec(path)
    if (match !== null) return { route, params: match.slice(1) }
  }
  return undefined
}
