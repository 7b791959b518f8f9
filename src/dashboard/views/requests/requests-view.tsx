import { Empty } from '../../parts/empty.js'
import { isLoadingRequests, requestStore, requestVersion } from '../../state/requests.js'
import { route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { FirstRequest } from '../tasks/welcome.js'
import { RequestFilters } from './request-filters.js'
import { RequestList } from './request-list.js'
import { RequestPage } from './request-page.js'

/** The list of requests and the selected request. */
export function RequestsView() {
  const { id } = route.value
  requestVersion.value
  if (requestStore.size === 0 && !isLoadingRequests.value && id === undefined) return <NoRequests />
  return (
    <div class={`split${id === undefined ? '' : ' split-open'}`}>
      <section class="split-list" aria-label="Requests">
        <RequestFilters />
        <RequestList />
      </section>
      <section class="split-page" aria-label="Request">
        {id === undefined ? (
          <p class="hint">Select a request to see its headers, its bodies, and why it got its answer.</p>
        ) : (
          <RequestPage key={id} id={id} />
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
