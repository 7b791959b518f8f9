import type { Evidence, Finding } from '../inspect/findings/finding.js'
import type { Verdict } from '../inspect/findings/verdict.js'
import type { EvidenceShape, FindingShape, VerdictShape } from './shapes.js'

/** A verdict as JSON shows it. */
export function verdictShape({ findings, checked }: Verdict): VerdictShape {
  return { findings: findings.map(findingShape), checked }
}

function findingShape({ evidence, ...finding }: Finding): FindingShape {
  return { ...finding, evidence: evidence.map(evidenceShape) }
}

function evidenceShape({ seen, taskId, requestIds, deliveryIds, at }: Evidence): EvidenceShape {
  return {
    at: new Date(at).toISOString(),
    task_id: taskId,
    request_ids: requestIds,
    delivery_ids: deliveryIds,
    seen,
  }
}
