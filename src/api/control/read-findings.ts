import type { Evidence, Finding } from '../../core/findings/finding.js'
import type { Operation } from '../operation.js'
import { json } from '../reply.js'
import type { FindingShape } from './shapes.js'

/** Tells what the client under test did wrong, as far as the journal shows it. */
export const readFindings: Operation = {
  id: 'sim.findings',
  authenticated: false,
  run: ({ sim }) => json(200, { findings: sim.findings().map(findingShape) }),
}

function findingShape({ evidence, ...finding }: Finding): FindingShape {
  return { ...finding, evidence: evidence.map(evidenceShape) }
}

function evidenceShape({
  at,
  seen,
  taskId,
  requestIds,
  deliveryIds,
}: Evidence): FindingShape['evidence'][number] {
  return {
    at: new Date(at).toISOString(),
    seen,
    task_id: taskId,
    request_ids: requestIds,
    delivery_ids: deliveryIds,
  }
}
