import { requestFilterIn } from '../../model/requests/request-filter.js'
import { Button } from '../../parts/button.js'
import { Empty } from '../../parts/empty.js'
import { VirtualList } from '../../parts/virtual-list.js'
import { filteredRequests, isLoadingRequests, setRequestFilter } from '../../state/requests.js'
import { navigate, route } from '../../state/route.js'
import { RequestRow } from './request-row.js'

/** The requests that match the filter. */
export function RequestList() {
  const requests = filteredRequests.value
  const { id: openId, query } = route.value
  if (requests.length === 0 && !isLoadingRequests.value) return <NoMatches />
  return (
    <VirtualList
      items={requests}
      label="Requests, newest first"
      openId={openId}
      onOpen={(id) => navigate({ view: 'requests', id, query })}
    >
      {(request) => <RequestRow request={request} />}
    </VirtualList>
  )
}

function NoMatches() {
  return (
    <Empty icon="search" title="No matching requests">
      <p>No request matches the current filters. The journal keeps the last 10,000 entries.</p>
      <Button onPress={() => setRequestFilter(requestFilterIn({}))}>Show all requests</Button>
    </Empty>
  )
}
