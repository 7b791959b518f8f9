import { useEffect } from 'preact/hooks'
import { Empty } from '../../parts/empty.js'
import { filteredDeliveries, followDeliveries, loadDialects } from '../../state/deliveries.js'
import { route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { DeliveryFilters } from './delivery-filters.js'
import { DeliveryPage } from './delivery-page.js'
import { DeliveryRows } from './delivery-rows.js'
import { Receivers } from './receivers.js'

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
