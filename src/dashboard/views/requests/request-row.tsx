import { duration } from '../../model/format.js'
import { decisionLabel } from '../../model/requests/decision-label.js'
import { heldTime } from '../../model/requests/held-time.js'
import { isRefused, type RequestBrief, statusClass, statusLabel } from '../../model/requests/request-brief.js'
import { Instant } from '../../parts/instant.js'
import { requestChoices } from '../../state/requests.js'

/** The content of a request's row in the list. */
export function RequestRow({ request }: { readonly request: RequestBrief }) {
  const { method, path, query, operation, dialect, at } = request
  const decision = decisionLabel(request)
  const held = heldTime(request)
  return (
    <>
      <span class={statusClass(request)}>{statusLabel(request)}</span>
      <span class="row-title request-line" title={path}>
        <b>{method}</b> {query === '' ? path : `${path}?${query}`}
      </span>
      <Instant class="row-time" at={at} />
      <span class="row-what">
        {operation ?? 'no operation'}
        {requestChoices.value.dialects.length > 1 && dialect !== undefined && (
          <span class="row-dialect">{dialect}</span>
        )}
        {decision !== '' && (
          <span class={isRefused(request) ? 'row-error' : 'row-held'} title={request.decided_by?.reason}>
            {decision}
          </span>
        )}
      </span>
      <span class="row-cost">{held > 0 && `held ${duration(held)}`}</span>
    </>
  )
}
