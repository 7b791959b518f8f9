import { duration } from '../../model/format.js'
import {
  conditionsOf,
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
import { Filters, NoMatches } from '../../parts/filters.js'
import { Icon } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { Menu } from '../../parts/menu.js'
import { VirtualList } from '../../parts/virtual-list.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import {
  filteredRequests,
  isLoadingRequests,
  requestChoices,
  requestFilter,
  requestStore,
  requestVersion,
  setRequestFilter,
  statusCounts,
} from '../../state/requests.js'
import { linkTo, route, sandbox } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { FirstRequest } from '../tasks/welcome.js'

const RequestPage = lazy('The request', async () => (await import('./request-page.js')).RequestPage)

const RequestAgain = lazy('The editor', async () => (await import('../again/request-again.js')).RequestAgain)

const Traffic = lazy('The charts', async () => (await import('./traffic.js')).Traffic)

/** On narrow pages, the list and the charts do not fit side by side: this value of `pane` shows the charts. */
const CHARTS = 'charts'

/** The list of requests and the selected request. */
export function RequestsView() {
  const { id, query } = route.value
  const isPaneOpen = id !== undefined || query['pane'] === CHARTS
  requestVersion.value
  if (requestStore.size === 0 && !isLoadingRequests.value && id === undefined) return <NoRequests />
  return (
    <div class={`split${isPaneOpen ? ' split-open' : ''}`}>
      <section class="split-list" aria-label="Requests">
        <a
          class={`to-overview line${id === undefined ? ' to-overview-shown' : ''}`}
          href={linkTo({ view: 'requests', query: { ...query, pane: CHARTS } })}
        >
          <Icon name="overview" /> Charts
        </a>
        <RequestFilters />
        <RequestList />
      </section>
      <section class="split-page" aria-label="Request">
        {id === undefined ? (
          <Traffic />
        ) : query['again'] === undefined ? (
          <RequestPage key={id} id={id} />
        ) : (
          <RequestAgain key={id} id={id} />
        )}
      </section>
    </div>
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

/** The requests that match the filter. */
function RequestList() {
  const requests = filteredRequests.value
  const openId = route.value.id
  if (requests.length === 0 && !isLoadingRequests.value)
    return (
      <NoMatches
        what="requests"
        limit="The journal keeps the last 10,000 entries."
        filter={requestFilter.value}
        onChange={setRequestFilter}
      />
    )
  return (
    <VirtualList
      items={requests}
      label="Requests, newest first"
      openId={openId}
      placeOf={({ number, at }) => ({ number, at: Date.parse(at) })}
      routeOf={(id) => ({ view: 'requests', id, query: requestFilter.value })}
    >
      {(request) => <RequestRow request={request} />}
    </VirtualList>
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

const ICONS = {
  answered: 'succeeded',
  refused: 'failed',
  '4xx': 'error',
  '5xx': 'warning',
  lost: 'lost',
} as const

/** The states with the colors of the classes. */
const LOOKS = {
  answered: 'succeeded',
  refused: 'failed',
  '4xx': 'failed',
  '5xx': 'failed',
  lost: 'lost',
} as const

/** The filters of the requests. */
function RequestFilters() {
  const { operations, dialects, keys } = requestChoices.value
  const labelOf = (key: string) => (key === 'none' ? 'no accepted key' : key)
  const choices = [
    { name: 'operation', label: 'Operation', all: 'All operations', values: operations },
    { name: 'dialect', label: 'Dialect', all: 'All dialects', values: dialects },
    { name: 'key', label: 'API key', all: 'All keys', values: keys, labelOf },
  ] as const
  const chips = STATUS_CLASSES.map((each) => ({
    value: each,
    label: each,
    icon: ICONS[each],
    look: `state-${LOOKS[each]}`,
    count: statusCounts.value[each],
  }))
  return (
    <Filters
      what="requests"
      searched="path, id, key, reason"
      filter={requestFilter.value}
      chips={{ name: 'status', label: 'Status', chips }}
      choices={choices}
      shown={filteredRequests.value.length}
      onChange={setRequestFilter}
    >
      <ExportMenu />
    </Filters>
  )
}

/** The menu that saves the requests of the current filter as files. */
function ExportMenu() {
  const { status, key, operation, ...rest } = conditionsOf(requestFilter.value)
  // The journal has no such conditions, and a file with more requests does no harm.
  const given = {
    ...rest,
    ...(status !== undefined && status !== 'answered' && { status }),
    ...(key !== undefined && key !== 'none' && { key }),
    ...(operation !== undefined && operation !== 'none' && { operation }),
  }
  const url = controlUrl(sandbox.value)
  const har = `${url}/journal.har?${new URLSearchParams(given)}`
  const json = `${url}/journal.json?${new URLSearchParams(given)}`
  return (
    <Menu
      icon="save"
      label="Export the requests of this filter"
      items={[
        { label: 'HAR', note: 'for browsers', href: withToken(har), download: 'tasksim.har' },
        { label: 'JSON', note: 'with bodies', href: withToken(json), download: 'requests.json' },
      ]}
    >
      Export
    </Menu>
  )
}
