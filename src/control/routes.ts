import type { Route } from '../http/operation.js'
import { controlOperation as control } from './control-operation.js'

/** Every path of the control API; its operations load with the first request for one of them. */
export const CONTROL_ROUTES: readonly Route[] = [
  { path: '/_sim/health', methods: { GET: control('sim.health') } },
  { path: '/_sim/state', methods: { GET: control('sim.state') } },
  { path: '/_sim/metrics', methods: { GET: control('sim.metrics') } },
  {
    path: '/_sim/clock',
    methods: { GET: control('sim.clock.read'), POST: control('sim.clock.turn') },
  },
  { path: '/_sim/reset', methods: { POST: control('sim.reset') } },
  {
    path: '/_sim/scenario',
    methods: {
      GET: control('sim.scenario.read'),
      PUT: control('sim.scenario.replace'),
      PATCH: control('sim.scenario.patch'),
    },
  },
  { path: '/_sim/preview', methods: { POST: control('sim.preview') } },
  { path: '/_sim/tasks', methods: { GET: control('sim.tasks.list') } },
  { path: '/_sim/tasks/{id}', methods: { GET: control('sim.tasks.read') } },
  { path: '/_sim/tasks/{id}/finish', methods: { POST: control('sim.tasks.finish') } },
  {
    path: '/_sim/tasks/{id}/files/{file}',
    params: [/./, /^\d{1,3}$/],
    methods: { GET: control('sim.tasks.file') },
  },
  { path: '/_sim/tasks/{id}/hold', methods: { POST: control('sim.tasks.hold') } },
  { path: '/_sim/tasks/{id}/release', methods: { POST: control('sim.tasks.release') } },
  { path: '/_sim/observations', methods: { POST: control('sim.observations.add') } },
  {
    path: '/_sim/receivers',
    methods: { GET: control('sim.receivers.list'), POST: control('sim.receivers.add') },
  },
  { path: '/_sim/receivers/{id}', methods: { DELETE: control('sim.receivers.remove') } },
  { path: '/_sim/deliveries', methods: { GET: control('sim.deliveries.list') } },
  { path: '/_sim/deliveries/{id}', methods: { GET: control('sim.deliveries.read') } },
  { path: '/_sim/deliveries/{id}/redeliver', methods: { POST: control('sim.deliveries.redeliver') } },
  { path: '/_sim/webhooks/trigger', methods: { POST: control('sim.webhooks.trigger') } },
  { path: '/_sim/journal', methods: { GET: control('sim.journal.read') } },
  { path: '/_sim/stream', methods: { GET: control('sim.journal.stream') } },
  { path: '/_sim/findings', methods: { GET: control('sim.findings.read') } },
  {
    path: '/_sim/sandboxes',
    methods: { GET: control('sim.sandboxes.list'), POST: control('sim.sandboxes.create') },
  },
  {
    path: '/_sim/sandboxes/{id}',
    methods: { GET: control('sim.sandboxes.read'), DELETE: control('sim.sandboxes.delete') },
  },
]
