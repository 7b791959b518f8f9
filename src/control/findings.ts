import * as v from 'valibot'
import { isoTime } from '../engine/clock/instants.js'
import { json } from '../exchange/exchange.js'
import type { AppliedRule } from '../inspect/applied/applied-rules.js'
import type { Evidence, Finding } from '../inspect/findings/finding.js'
import type { Verdict } from '../inspect/findings/verdict.js'
import { BODY_ERRORS, controlOperation } from './operation.js'
import { Observation } from './schema/inputs.js'
import { optional, truth } from './schema/parts.js'
import type { EvidenceShape, FindingShape, VerdictShape } from './shapes.js'

export const readFindings = controlOperation('sim.findings.read', {
  tag: 'Record',
  summary: 'Read the findings about the client under test',
  query: v.strictObject({
    final: optional(truth, '`true`: evaluate as if the client had sent its last request'),
    task: optional(v.string(), 'Only mistakes with the task with this id'),
  }),
  responses: {
    200: {
      description:
        'The findings, the result of every rule, and how often each rule and fault of the scenario has applied',
      json: 'Verdict',
    },
  },
  errors: ['invalid_request'],
  async run({ sim }, { query: { final = false, task } }) {
    const { checkClient } = await import('../inspect/findings/verdict.js')
    return json(200, verdictShape(checkClient(sim.findingInput({ final }), { task })))
  },
})

export const addObservation = controlOperation('sim.observations.add', {
  tag: 'Record',
  summary: 'Record an observation from inside the client',
  description:
    'Reports an event that the simulator cannot see, such as the processing of a webhook by the client.',
  body: {
    schema: Observation,
    examples: {
      'a webhook was processed': { what: 'webhook.processed', task_id: 'task_82wsE0eJdLYSLPR9BIkYOFzx' },
    },
  },
  responses: { 204: { description: 'The observation was recorded' } },
  errors: BODY_ERRORS,
  run({ sim }, { body: { what, task_id: taskId, by, as } }) {
    sim.observe(what, { taskId, by, as })
    return { status: 204, headers: {}, body: undefined }
  },
})

function verdictShape({ findings, checked, applied }: Verdict): VerdictShape {
  return { findings: findings.map(findingShape), checked, applied: applied.map(appliedShape) }
}

function appliedShape({ isInherited, isShipped, ...rule }: AppliedRule): VerdictShape['applied'][number] {
  return { ...rule, inherited: isInherited, shipped: isShipped }
}

function findingShape({ evidence, ...finding }: Finding): FindingShape {
  return { ...finding, evidence: evidence.map(evidenceShape) }
}

function evidenceShape({ at, taskId, requestIds, deliveryIds, ...rest }: Evidence): EvidenceShape {
  return { at: isoTime(at), task_id: taskId, request_ids: requestIds, delivery_ids: deliveryIds, ...rest }
}
