import { useEffect } from 'preact/hooks'
import type { DeliveryBriefShape } from '../../../control/shapes.js'
import { deliveryFilterIn, verdictsOf } from '../../model/webhooks/delivery-filter.js'
import { Button } from '../../parts/button.js'
import { Empty } from '../../parts/empty.js'
import { Instant } from '../../parts/instant.js'
import { Loading } from '../../parts/loading.js'
import { StateMark } from '../../parts/state-badge.js'
import { VirtualList } from '../../parts/virtual-list.js'
import {
  deliveryChoices,
  deliveryCount,
  filteredDeliveries,
  followDeliveries,
  isLoadingDeliveries,
  isSigned,
  loadDialects,
  setDeliveryFilter,
} from '../../state/deliveries.js'
import { navigate, route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { DeliveryFilters } from './delivery-filters.js'
import { DeliveryPage } from './delivery-page.js'
import { Receivers } from './receivers.js'
import { VerdictMark } from './verdict-mark.js'

/** The list of deliveries, and the selected one or the receivers. */
export function WebhooksView() {
  const { id } = route.value
  useEffect(followDeliveries, [])
  useEffect(() => {
    loadDialects().catch(() => {})
  }, [])
  return (
    <div class={`split${id === undefined ? '' : ' split-open'}`}>
      <section
        class="split-list"
        aria-label="Deliveries"
        style={{ '--rows': Math.max(1, filteredDeliveries.value.length) }}
      >
        <DeliveryFilters />
        <DeliveryRows />
      </section>
      <section class="split-page" aria-label={id === undefined ? 'Receivers of webhooks' : 'Delivery'}>
        {id !== undefined ? <DeliveryPage key={id} id={id} /> : <Aside />}
      </section>
    </div>
  )
}

function Aside() {
  if (recording.value === undefined) return <Receivers />
  return (
    <Empty icon="webhooks" title="Webhooks of the service">
      <p>Select a delivery to see its headers and bodies, and what your receiver answered.</p>
    </Empty>
  )
}

/** The deliveries that match the filter. */
function DeliveryRows() {
  const deliveries = filteredDeliveries.value
  const { id: openId, query } = route.value
  if (deliveries.length === 0) {
    if (isLoadingDeliveries.value) return <Loading what="The deliveries" />
    return deliveryCount.value === 0 ? <NoWebhooks /> : <NoMatches />
  }
  return (
    <VirtualList
      items={deliveries}
      label="Deliveries, newest first"
      openId={openId}
      onOpen={(id) => navigate({ view: 'webhooks', id, query })}
    >
      {(delivery) => <DeliveryRow delivery={delivery} />}
    </VirtualList>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: DeliveryBriefShape }) {
  const { state, event, url, created_at: at, dialect, attempts, copy_of: copyOf } = delivery
  const last = attempts.at(-1)
  const verdict = verdictsOf(delivery, isSigned.value).at(-1)
  return (
    <>
      <StateMark state={state} />
      <span class="row-title">
        {event}
        {deliveryChoices.value.dialects.length > 1 && <span class="row-dialect">{dialect}</span>}
        {copyOf !== undefined && <span class="row-dialect">copy</span>}
      </span>
      {at !== undefined && <Instant class="row-time" at={at} />}
      <span class="row-what" title={url}>
        {url.replace(/^https?:\/\//, '')}
      </span>
      <span class="row-cost">
        {last !== undefined && verdict !== undefined && (
          <VerdictMark attempt={last} verdict={verdict} count={attempts.length} />
        )}
      </span>
    </>
  )
}

function NoWebhooks() {
  return (
    <Empty icon="webhooks" title="No webhooks yet">
      {recording.value === undefined ? (
        <p>
          When a task ends, a webhook goes to its webhook URL and to every receiver. To send one now, press
          Test next to a receiver.
        </p>
      ) : (
        <p>
          No webhook has passed through the proxy. With <code>--public-url</code>, the service sends its
          webhooks there.
        </p>
      )}
    </Empty>
  )
}

function NoMatches() {
  return (
    <Empty icon="search" title="No matching deliveries">
      <p>No delivery matches the current filters. The server keeps the last 5,000 of them.</p>
      <Button onPress={() => setDeliveryFilter(deliveryFilterIn({}))}>Show all deliveries</Button>
    </Empty>
  )
}
