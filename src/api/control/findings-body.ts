import type { Evidence, Finding } from '../../core/findings/finding.js'
import type { Verdict } from '../../core/findings/verdict.js'
import { instant } from './instant.js'

/** A verdict as JSON shows it. */
export function findingsBody({ findings, checked }: Verdict): object {
  return { findings: findings.map(findingBody), checked }
}

function findingBody({ evidence, ...finding }: Finding): object {
  return { ...finding, evidence: evidence.map(evidenceBody) }
}

function evidenceBody({ seen, taskId, requestIds, deliveryIds, at }: Evidence): object {
  return { at: instant(at), task_id: taskId, request_ids: requestIds, delivery_ids: deliveryIds, seen }
}
