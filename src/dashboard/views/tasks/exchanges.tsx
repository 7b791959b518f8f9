import type { EntryShape, RequestEntryShape } from '../../../control/shapes.js'
import { duration, prettyJson } from '../../model/format.js'
import { decisionLabel } from '../../model/requests/decision-label.js'
import { statusClass, statusLabel } from '../../model/requests/request-brief.js'
import { Code } from '../../parts/code.js'
import { Instant } from '../../parts/instant.js'
import { linkTo } from '../../state/route.js'

const MAX_SHOWN = 60

/** The requests on a task with their responses. */
export function Exchanges({ entries }: { readonly entries: readonly EntryShape[] }) {
  const requests = entries.filter((entry): entry is RequestEntryShape => entry.type === 'request')
  if (requests.length === 0)
    return <p class="hint">No requests in the journal: it keeps only the latest entries.</p>
  // The creation and the latest requests are the most relevant.
  const shown =
    requests.length > MAX_SHOWN ? [...requests.slice(0, 1), ...requests.slice(1 - MAX_SHOWN)] : requests
  return (
    <div class="exchanges">
      {shown.map((request) => (
        <Exchange key={request.number} request={request} />
      ))}
      {shown.length < requests.length && (
        <p class="hint">
          {requests.length - shown.length} requests between the first and the last are hidden.
        </p>
      )}
    </div>
  )
}

function Exchange({ request }: { readonly request: RequestEntryShape }) {
  const { id, method, path, query, took_ms: took, at } = request
  const decision = decisionLabel(request)
  return (
    <details class="exchange">
      <summary>
        <Instant at={at} isExact />
        <b>{method}</b>
        <code>{query === '' ? path : `${path}?${query}`}</code>
        <span class={statusClass(request)}>{statusLabel(request)}</span>
        <span class="muted">{duration(took)}</span>
        {decision !== '' && <span class="tag">{decision}</span>}
      </summary>
      <a href={linkTo({ view: 'requests', id })}>Show request with headers</a>
      {request.request_body ? (
        <>
          <h3>Request</h3>
          <Code text={prettyJson(request.request_body)} label="Request body" />
        </>
      ) : null}
      <h3>Response</h3>
      {request.response_body ? (
        <Code text={prettyJson(request.response_body)} label="Response body" />
      ) : (
        <p class="hint">Not recorded: a file, an empty body or a body that is too long.</p>
      )}
    </details>
  )
}
