import type { DeliveryShape, EntryShape, RequestEntryShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import { duration } from '../../model/format.js'
import { decisionLabel, statusClass, statusLabel } from '../../model/requests/request-filter.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { linkTo } from '../../state/route.js'

/** The webhooks of a task, each as a link to its page, with the webhooks of the task in the list beside it. */
export function TaskDeliveries({
  deliveries,
  empty,
}: {
  readonly deliveries: readonly DeliveryShape[]
  /** Says why there is none. */
  readonly empty: string
}) {
  if (deliveries.length === 0) return <p class="hint">{empty}</p>
  return (
    <ul class="task-links">
      {deliveries.map(({ id, task_id: task, event, url, state, attempts, created_at: at }) => (
        <li key={id}>
          <a class="delivery" href={linkTo({ view: 'webhooks', id, query: { task } })}>
            <StateBadge state={state} />
            <span class="delivery-what">
              <b>{event}</b>
              <code class="one-line">{url}</code>
            </span>
            <span class="delivery-when">
              {at !== undefined && <Instant at={at} />}
              <span class="muted">{counted(attempts.length, 'attempt')}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const MAX_SHOWN = 60

/** The requests on a task, each as a link to its page, with the requests on the task in the list beside it. */
export function TaskRequests({ entries }: { readonly entries: readonly EntryShape[] }) {
  const requests = entries.filter((entry): entry is RequestEntryShape => entry.type === 'request')
  if (requests.length === 0)
    return <p class="hint">No requests in the journal: it keeps only the latest entries.</p>
  // The creation and the latest requests are the most relevant.
  const shown =
    requests.length > MAX_SHOWN ? [...requests.slice(0, 1), ...requests.slice(1 - MAX_SHOWN)] : requests
  return (
    <>
      <ul class="task-links">
        {shown.map((request) => (
          <li key={request.number}>
            <RequestLink request={request} />
          </li>
        ))}
      </ul>
      {shown.length < requests.length && (
        <p class="hint">
          {requests.length - shown.length} requests between the first and the last are hidden.
        </p>
      )}
    </>
  )
}

function RequestLink({ request }: { readonly request: RequestEntryShape }) {
  const { id, method, path, query, took_ms: took, at, task_id: task = '' } = request
  const decision = decisionLabel(request)
  return (
    <a class="exchange line" href={linkTo({ view: 'requests', id, query: { text: task } })}>
      <Instant at={at} isExact />
      <b>{method}</b>
      <code class="one-line">{query === '' ? path : `${path}?${query}`}</code>
      <span class={statusClass(request)}>{statusLabel(request)}</span>
      <span class="muted">{duration(took)}</span>
      {decision !== '' && <span class="tag">{decision}</span>}
    </a>
  )
}
