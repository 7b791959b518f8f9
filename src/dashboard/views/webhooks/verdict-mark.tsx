import type { AttemptBriefShape } from '../../../control/shapes.js'
import {
  answerOf,
  isAccepted,
  isDeceived,
  VERDICT_LABELS,
  type Verdict,
} from '../../model/webhooks/attempts.js'
import { Icon } from '../../parts/icon.js'
import { recording } from '../../state/session.js'

/** The verdict on the signature of an attempt, and what the receiver answered. */
export function VerdictMark({
  attempt,
  verdict,
  count = 1,
}: {
  readonly attempt: AttemptBriefShape
  readonly verdict: Verdict
  /** The number of attempts up to this one. */
  readonly count?: number
}) {
  const isWrong = isDeceived(attempt, verdict)
  const isGood = verdict === 'valid' || verdict === 'none'
  return (
    <span class="verdict">
      {count > 1 && <span class="verdict-count">{count} attempts</span>}
      {/* The page does not know the secret of a real service. */}
      {recording.value === undefined && (
        <span class={`verdict-name${isGood ? '' : ' verdict-flaw'}`}>
          {!isGood && <Icon name="warning" />}
          {VERDICT_LABELS[verdict]}
        </span>
      )}
      <b
        class={`status ${isAccepted(attempt) && !isWrong ? 'status-2' : 'status-4'}`}
        title={isWrong ? 'The receiver accepted a webhook that it should reject' : attempt.error}
      >
        {answerOf(attempt)}
        {isWrong && ' accepted'}
      </b>
    </span>
  )
}
