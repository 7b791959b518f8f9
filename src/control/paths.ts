/** The method and path of every operation of the control API. */
export const CONTROL_PATHS = {
  'sim.health': 'GET /_sim/health',
  'sim.state': 'GET /_sim/state',
  'sim.reset': 'POST /_sim/reset',
  'sim.clock.read': 'GET /_sim/clock',
  'sim.clock.turn': 'POST /_sim/clock',
  'sim.scenario.read': 'GET /_sim/scenario',
  'sim.preview': 'POST /_sim/preview',
  'sim.scenario.replace': 'PUT /_sim/scenario',
  'sim.scenario.patch': 'PATCH /_sim/scenario',
  'sim.tasks.list': 'GET /_sim/tasks',
  'sim.tasks.read': 'GET /_sim/tasks/{id}',
  'sim.tasks.file': 'GET /_sim/tasks/{id}/files/{file}',
  'sim.tasks.answer': 'GET /_sim/tasks/{id}/answer',
  'sim.tasks.request': 'GET /_sim/tasks/{id}/request',
  'sim.tasks.finish': 'POST /_sim/tasks/{id}/finish',
  'sim.tasks.hold': 'POST /_sim/tasks/{id}/hold',
  'sim.tasks.release': 'POST /_sim/tasks/{id}/release',
  'sim.receivers.list': 'GET /_sim/receivers',
  'sim.receivers.add': 'POST /_sim/receivers',
  'sim.receivers.remove': 'DELETE /_sim/receivers/{id}',
  'sim.deliveries.list': 'GET /_sim/deliveries',
  'sim.deliveries.read': 'GET /_sim/deliveries/{id}',
  'sim.deliveries.redeliver': 'POST /_sim/deliveries/{id}/redeliver',
  'sim.webhooks.trigger': 'POST /_sim/webhooks/trigger',
  'sim.dialects.list': 'GET /_sim/dialects',
  'sim.journal.read': 'GET /_sim/journal',
  'sim.journal.stream': 'GET /_sim/stream',
  'sim.findings.read': 'GET /_sim/findings',
  'sim.observations.add': 'POST /_sim/observations',
  'sim.metrics': 'GET /_sim/metrics',
  'sim.sandboxes.list': 'GET /_sim/sandboxes',
  'sim.sandboxes.create': 'POST /_sim/sandboxes',
  'sim.sandboxes.read': 'GET /_sim/sandboxes/{id}',
  'sim.sandboxes.delete': 'DELETE /_sim/sandboxes/{id}',
} as const

export type ControlId = keyof typeof CONTROL_PATHS

/** The path of each description of the APIs; the method is GET. */
export const DOCUMENT_PATHS = {
  'sim.openapi.control': '/_sim/openapi.json',
  'sim.openapi.service': '/_sim/service.openapi.json',
  'sim.openapi.dialect': '/_sim/dialects/{dialect}/openapi.json',
  'sim.docs': '/_sim/docs',
} as const
