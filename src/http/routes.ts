import { controlOperation as control } from '../control/control-operation.js'
import { EXTENSIONS } from '../engine/assets/asset.js'
import { readDocument } from '../openapi/read-document.js'
import { readPage } from '../openapi/read-page.js'
import { allowPages } from './files/allow-pages.js'
import { downloadFile } from './files/download-file.js'
import type { Route } from './route.js'
import { cancelTask } from './tasks/cancel-task.js'
import { createTask } from './tasks/create-task.js'
import { listTasks } from './tasks/list-tasks.js'
import { retrieveTask } from './tasks/retrieve-task.js'

/** Both prefixes, and both the plural and the singular form, lead to the same operations. */
const TASKS = '(?:/api)?/v1/tasks?'

/** Every operation of the service: the one table that all hosts answer from. */
export const ROUTES: readonly Route[] = [
  { path: whole(`${TASKS}/([^/]+)`), namesTask: true, methods: { GET: retrieveTask } },
  { path: whole(TASKS), methods: { GET: listTasks, POST: createTask } },
  { path: whole(`${TASKS}/([^/]+)/cancel`), namesTask: true, methods: { POST: cancelTask } },
  { path: whole('/_sim/health'), methods: { GET: control('sim.health') } },
  { path: whole('/_sim/state'), methods: { GET: control('sim.state') } },
  { path: whole('/_sim/metrics'), methods: { GET: control('sim.metrics') } },
  {
    path: whole('/_sim/clock'),
    methods: { GET: control('sim.clock.read'), POST: control('sim.clock.turn') },
  },
  { path: whole('/_sim/reset'), methods: { POST: control('sim.reset') } },
  {
    path: whole('/_sim/scenario'),
    methods: {
      GET: control('sim.scenario.read'),
      PUT: control('sim.scenario.replace'),
      PATCH: control('sim.scenario.patch'),
    },
  },
  { path: whole('/_sim/preview'), methods: { POST: control('sim.preview') } },
  { path: whole('/_sim/tasks'), methods: { GET: control('sim.tasks.list') } },
  { path: whole('/_sim/tasks/([^/]+)'), methods: { GET: control('sim.tasks.read') } },
  { path: whole('/_sim/tasks/([^/]+)/finish'), methods: { POST: control('sim.tasks.finish') } },
  {
    path: whole('/_sim/tasks/([^/]+)/files/(\\d{1,3})'),
    methods: { GET: control('sim.tasks.file') },
  },
  { path: whole('/_sim/tasks/([^/]+)/hold'), methods: { POST: control('sim.tasks.hold') } },
  {
    path: whole('/_sim/tasks/([^/]+)/release'),
    methods: { POST: control('sim.tasks.release') },
  },
  { path: whole('/_sim/observations'), methods: { POST: control('sim.observations.add') } },
  {
    path: whole('/_sim/receivers'),
    methods: {
      GET: control('sim.receivers.list'),
      POST: control('sim.receivers.add'),
    },
  },
  {
    path: whole('/_sim/receivers/([^/]+)'),
    methods: { DELETE: control('sim.receivers.remove') },
  },
  { path: whole('/_sim/deliveries'), methods: { GET: control('sim.deliveries.list') } },
  {
    path: whole('/_sim/deliveries/([^/]+)'),
    methods: { GET: control('sim.deliveries.read') },
  },
  {
    path: whole('/_sim/deliveries/([^/]+)/redeliver'),
    methods: { POST: control('sim.deliveries.redeliver') },
  },
  {
    path: whole('/_sim/webhooks/trigger'),
    methods: { POST: control('sim.webhooks.trigger') },
  },
  { path: whole('/_sim/journal'), methods: { GET: control('sim.journal.read') } },
  { path: whole('/_sim/stream'), methods: { GET: control('sim.journal.stream') } },
  { path: whole('/_sim/findings'), methods: { GET: control('sim.findings.read') } },
  { path: whole('/_sim/openapi\\.json'), methods: { GET: readDocument('control', () => ROUTES) } },
  { path: whole('/_sim/service\\.openapi\\.json'), methods: { GET: readDocument('service', () => ROUTES) } },
  { path: whole('/_sim/docs'), methods: { GET: readPage(() => ROUTES) } },
  {
    path: whole('/_sim/sandboxes'),
    methods: {
      GET: control('sim.sandboxes.list'),
      POST: control('sim.sandboxes.create'),
    },
  },
  {
    path: whole('/_sim/sandboxes/([^/]+)'),
    methods: {
      GET: control('sim.sandboxes.read'),
      DELETE: control('sim.sandboxes.delete'),
    },
  },
  {
    path: whole(`/files/(?:sb_\\w+/)?(task_[A-Za-z0-9]+)/(\\d+)\\.(?:${EXTENSIONS.join('|')})`),
    namesTask: true,
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
