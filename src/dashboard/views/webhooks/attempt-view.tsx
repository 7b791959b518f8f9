import type { AttemptShape } from '../../../control/shapes.js'
import { bytes, duration } from '../../model/format.js'
import { isAccepted, type Verdict } from '../../model/webhooks/attempts.js'
import { Instant } from '../../parts/badges.js'
import { ComparedMessages } from '../../parts/comparison.js'
import { Icon } from '../../parts/icon.js'
import { Message } from '../../parts/message.js'
import { VerdictMark } from './verdict-mark.js'

/** One attempt: the request, the response, and what differs from the previous one. */
export function AttemptView({
  attempt,
  verdict,
  previous,
  isOpen = false,
  again,
}: {
  readonly attempt: AttemptShape
  readonly verdict: Verdict
  /** The link that sends it again with changes; undefined if it cannot be sent. */
  readonly again?: string | undefined
  readonly previous?: AttemptShape | undefined
  /** Whether its request and response are shown. */
  readonly isOpen?: boolean
}) {
  const { number, flaw, request, response, expected } = attempt
  const isGood = isAccepted(attempt)
  return (
    <section class="attempt stack" aria-label={`Attempt ${number}`}>
      <header class="attempt-head line">
        <h3 class={isGood ? 'state state-succeeded' : 'state state-failed'}>
          <Icon name={isGood ? 'succeeded' : 'failed'} />
          Attempt {number}
        </h3>
        <VerdictMark attempt={attempt} verdict={verdict} />
      </header>
      <Times attempt={attempt} previous={previous} />
      {flaw !== undefined && <p class="tag">webhook fault: {flaw}</p>}
      {expected !== undefined && (
        <ComparedMessages
          title="Changed by the webhook fault"
          names={['Without the fault', 'Sent']}
          messages={[expected, request]}
        />
      )}
      {previous !== undefined && (
        <ComparedMessages
          title={`Compared with attempt ${previous.number}`}
          names={[`Attempt ${previous.number}`, `Attempt ${number}`]}
          messages={[previous.request, request]}
        />
      )}
      <details open={isOpen}>
        <summary>Request</summary>
        <Message body={request.body} headers={request.headers} label="Request body">
          The webhook has no body.
        </Message>
      </details>
      {response !== undefined && (
        <details open={isOpen}>
          <summary>Response</summary>
          {response.partial !== undefined && <p class="muted">Incomplete: {response.partial}</p>}
          <Message body={response.body} headers={response.headers} label="Response body">
            The receiver sent no body.
          </Message>
        </details>
      )}
      {again !== undefined && (
        <p>
          <a href={again}>Edit and send again</a>
        </p>
      )}
    </section>
  )
}

function Times({
  attempt: { started_at: at, took_ms: took, retry_at: retry, error, request },
  previous,
}: {
  readonly attempt: AttemptShape
  readonly previous: AttemptShape | undefined
}) {
  const size = Math.floor((request.body_base64.replace(/=+$/, '').length * 3) / 4)
  const before = previous?.started_at
  return (
    <p class="muted">
      {at !== undefined && (
        <>
          at <Instant at={at} isExact />
          {before !== undefined && `, ${duration(Date.parse(at) - Date.parse(before))} later`},{' '}
        </>
      )}
      {bytes(size)} in {duration(took)}
      {error !== undefined && <>: {error}</>}
      {retry !== undefined && (
        <>
          ; retry at <Instant at={retry} />
        </>
      )}
    </p>
  )
}
