import type { AttemptBriefShape, AttemptShape } from '../../../control/shapes.js'
import { bytes, duration, plural } from '../../model/format.js'
import {
  answerOf,
  changesBetween,
  isAccepted,
  isDeceived,
  type LineChange,
  type MessageChange,
  VERDICT_LABELS,
  type Verdict,
} from '../../model/webhooks/attempts.js'
import { verificationOf } from '../../model/webhooks/commands.js'
import { Instant } from '../../parts/badges.js'
import { Code } from '../../parts/blocks.js'
import { Body } from '../../parts/code/body.js'
import { Icon } from '../../parts/icon.js'
import { recording } from '../../state/session.js'

/** One attempt: the request, the response, what differs from the previous one, and how to verify the signature. */
export function AttemptView({
  attempt,
  verdict,
  previous,
  isOpen = false,
}: {
  readonly attempt: AttemptShape
  readonly verdict: Verdict
  readonly previous?: AttemptShape | undefined
  /** Whether its request and response are shown. */
  readonly isOpen?: boolean
}) {
  const { number, flaw, request, expected } = attempt
  const isGood = isAccepted(attempt)
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <header class="attempt-head">
        <h3 class={isGood ? 'state state-succeeded' : 'state state-failed'}>
          <Icon name={isGood ? 'succeeded' : 'failed'} />
          Attempt {number}
        </h3>
        <VerdictMark attempt={attempt} verdict={verdict} />
      </header>
      <Times attempt={attempt} previous={previous} />
      {flaw !== undefined && <p class="tag">webhook fault: {flaw}</p>}
      {expected !== undefined && (
        <Changes title="Changed by the webhook fault" change={changesBetween(expected, request)} />
      )}
      {previous !== undefined && (
        <Changes
          title={`Compared with attempt ${previous.number}`}
          change={changesBetween(previous.request, request)}
        />
      )}
      <details open={isOpen}>
        <summary>Request</summary>
        <Code text={headersText(request.headers)} label="Request headers" />
        <Body body={request.body} label="Request body" />
      </details>
      <Response attempt={attempt} isOpen={isOpen} />
      <Verification attempt={attempt} />
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

function Response({
  attempt: { response },
  isOpen,
}: {
  readonly attempt: AttemptShape
  readonly isOpen: boolean
}) {
  if (response === undefined) return null
  const { status, headers = {}, body = '', partial } = response
  return (
    <details open={isOpen}>
      <summary>Response</summary>
      {partial !== undefined && <p class="muted">Incomplete: {partial}</p>}
      <Code text={`${status}\n${headersText(headers)}`.trim()} label="Response" />
      {body !== '' && <Body body={body} label="Response body" />}
    </details>
  )
}

function Verification({ attempt: { request } }: { readonly attempt: AttemptShape }) {
  const found = verificationOf(request)
  if (found === undefined) return null
  return (
    <details>
      <summary>Verify the signature</summary>
      <p class="muted">
        <code>{found.header}</code> is {found.meaning}. This command prints the expected value:
      </p>
      <Code text={found.command} label="Command" />
      <Code text={found.value} label="Sent signature" />
    </details>
  )
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** What differs between two requests: headers and lines of the body. */
function Changes({
  title,
  change: { headers, body },
}: {
  readonly title: string
  readonly change: MessageChange
}) {
  if (headers.length === 0 && body === undefined)
    return <p class="muted">{title}: the same headers and the same body.</p>
  return (
    <section class="changes" aria-label={title}>
      <h4>{title}</h4>
      <dl>
        {headers.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before !== undefined && <del>{before === '' ? '(empty)' : before}</del>}
              {after !== undefined && <ins>{after === '' ? '(empty)' : after}</ins>}
            </dd>
          </div>
        ))}
        {body !== undefined && (
          <div>
            <dt>body</dt>
            <dd>
              <Lines change={body} />
            </dd>
          </div>
        )}
      </dl>
      {body === undefined && <p class="muted">The same body.</p>}
    </section>
  )
}

/** More lines would hide the attempts below. */
const MAX_LINES = 12

function Lines({ change: { above, removed, added, below } }: { readonly change: LineChange }) {
  return (
    <>
      {above > 0 && <small>{plural(above, 'line')} above are the same</small>}
      {removed.slice(0, MAX_LINES).map((line, index) => (
        <del key={`${index} ${line}`}>{line}</del>
      ))}
      {removed.length > MAX_LINES && (
        <small>{removed.length - MAX_LINES} more lines without the change</small>
      )}
      {added.slice(0, MAX_LINES).map((line, index) => (
        <ins key={`${index} ${line}`}>{line}</ins>
      ))}
      {added.length > MAX_LINES && <small>{added.length - MAX_LINES} more changed lines</small>}
      {below > 0 && <small>{plural(below, 'line')} below are the same</small>}
    </>
  )
}

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
