import { duration } from '../../model/format.js'
import {
  decisionLabel,
  heldTime,
  isRefused,
  type RequestBrief,
  STATUS_CLASSES,
  statusClass,
  statusLabel,
} from '../../model/requests/request-filter.js'
import { Instant } from '../../parts/badges.js'
import { Empty } from '../../parts/blocks.js'
import { Filters, isMixed, ListRows } from '../../parts/filters.js'
import { lazy } from '../../parts/lazy.js'
import { Menu } from '../../parts/menu.js'
import { Split } from '../../parts/split.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { requestList } from '../../state/requests.js'
import { route, sandbox } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { FirstRequest } from '../tasks/welcome.js'

const RequestPage = lazy('The request', async () => (await import('./request-page.js')).RequestPage)

const RequestAgain = lazy('The editor', async () => (await import('../again/request-again.js')).RequestAgain)

/** The list of requests and the selected request. */
export function RequestsView() {
  const { id, query } = route.value
  if (requestList.size.value === 0 && !requestList.isLoading.value && id === undefined) return <NoRequests />
  return (
    <Split
      label="Requests"
      paneLabel="Request"
      list={
        <>
          <RequestFilters />
          <ListRows
            list={requestList}
            view="requests"
            what="requests"
            limit="The journal keeps the last 10,000 entries."
            empty={<NoRequests />}
            placeOf={({ number, at }) => ({ number, at: Date.parse(at) })}
          >
            {(request) => <RequestRow request={request} />}
          </ListRows>
        </>
      }
    >
      {id === undefined ? (
        <Empty icon="requests" title="No request selected">
          <p>Select a request to see why it got its answer, with its headers and bodies.</p>
        </Empty>
      ) : query['again'] === undefined ? (
        <RequestPage key={id} id={id} />
      ) : (
        <RequestAgain key={id} id={id} />
      )}
    </Split>
  )
}

function NoRequests() {
  return (
    <Empty icon="requests" title="No requests yet">
      {recording.value === undefined ? (
        <>
          <p>Every request to the API appears here, even if it is refused. Send one:</p>
          <FirstRequest />
        </>
      ) : (
        <p>Every request that passes through this proxy appears here, even if it is refused.</p>
      )}
    </Empty>
  )
}

/** The content of a request's row in the list. */
function RequestRow({ request }: { readonly request: RequestBrief }) {
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
        {isMixed(requestList) && dialect !== undefined && <span class="row-dialect">{dialect}</span>}
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

/** The icon and the color of each class of statuses. */
const LOOKS = {
  answered: ['succeeded', 'succeeded'],
  refused: ['failed', 'failed'],
  '4xx': ['error', 'failed'],
  '5xx': ['warning', 'failed'],
  lost: ['lost', 'lost'],
} as const

const CHIPS = STATUS_CLASSES.map((each) => {
  const [icon, color] = LOOKS[each]
  return { value: each, label: each, icon, look: `state-${color}` }
})

const CHOICES = [
  { name: 'operation', label: 'Operation', all: 'All operations' },
  { name: 'dialect', label: 'Dialect', all: 'All dialects' },
  { name: 'key', label: 'API key', all: 'All keys', labels: { none: 'no accepted key' } },
] as const

/** The filters of the requests. */
function RequestFilters() {
  return (
    <Filters
      list={requestList}
      what="requests"
      searched="path, id, key, reason"
      label="Status"
      chips={CHIPS}
      choices={CHOICES}
    >
      <ExportMenu />
    </Filters>
  )
}

/** The menu that saves the requests of the current filter as files. */
function ExportMenu() {
  const given = Object.entries(requestList.conditions.value).filter(
    // The journal has no such conditions, and a file with more requests does no harm.
    ([, value]) => value.trim() !== '' && value !== 'answered' && value !== 'none',
  )
  const url = controlUrl(sandbox.value)
  const har = `${url}/journal.har?${new URLSearchParams(given)}`
  const json = `${url}/journal.json?${new URLSearchParams(given)}`
  return (
    <Menu
      icon="save"
      text="Export"
      label="Export the requests of this filter"
      items={[
        { label: 'HAR', note: 'for browsers', href: withToken(har), download: 'tasksim.har' },
        { label: 'JSON', note: 'with bodies', href: withToken(json), download: 'requests.json' },
      ]}
    />
  )
}
