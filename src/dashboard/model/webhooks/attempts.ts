import type { AttemptBriefShape } from '../../../control/shapes.js'
import { isSuccess } from '../../../engine/requests/statuses.js'

/** The verdicts as the page shows them. */
export const VERDICT_LABELS = {
  valid: 'signature valid',
  forged: 'forged',
  old_secret: 'signed with old secret',
  too_old: 'signed an hour ago',
  unsigned: 'unsigned',
  none: 'service does not sign',
} as const

/** What a receiver finds out when it verifies the signature of an attempt. */
export type Verdict = keyof typeof VERDICT_LABELS

const OF_FLAWS: Readonly<Record<string, Verdict>> = {
  missing: 'unsigned',
  empty: 'unsigned',
  previous_secret: 'old_secret',
  old_timestamp: 'too_old',
}

/** @param isSigned whether the service signs its webhooks */
export function verdictOf({ flaw }: Pick<AttemptBriefShape, 'flaw'>, isSigned: boolean): Verdict {
  if (flaw === undefined) return isSigned ? 'valid' : 'none'
  return OF_FLAWS[flaw] ?? 'forged'
}

/** What the receiver answered, such as `204` or `no answer`. */
export function answerOf({ status, error }: Pick<AttemptBriefShape, 'status' | 'error'>): string {
  if (status !== undefined) return String(status)
  return error?.startsWith('no answer') ? 'no answer' : 'not reached'
}

/** Whether the receiver accepted the webhook. */
export function isAccepted({ status }: Pick<AttemptBriefShape, 'status'>): boolean {
  return isSuccess(status)
}

/** Whether the receiver accepted a webhook that it should have rejected. A receiver may accept an old secret. */
export function isDeceived(attempt: AttemptBriefShape, verdict: Verdict): boolean {
  return isAccepted(attempt) && ['forged', 'unsigned', 'too_old'].includes(verdict)
}
