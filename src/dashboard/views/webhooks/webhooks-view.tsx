import { useEffect } from 'preact/hooks'
import type { DeliveryBriefShape } from '../../../control/shapes.js'
import { stateLabel } from '../../model/format.js'
import { VERDICT_LABELS, VERDICTS, type Verdict } from '../../model/webhooks/attempts.js'
import { DECEIVED, DELIVERY_STATES, deliveryFilterIn, verdictsOf } from '../../model/webhooks/deliveries.js'
import { withChosen } from '../../model/with-chosen.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty, Loading } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Chips, Choice } from '../../parts/choices.js'
import { ClearFilters, SearchField } from '../../parts/filters.js'
import { iconFor } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { VirtualList } from '../../parts/virtual-list.js'
import {
  deliveryChoices,
  deliveryCount,
  deliveryFilter,
  deliveryStateCounts,
  filteredDeliveries,
  followDeliveries,
  isLoadingDeliveries,
  setDeliveryFilter,
} from '../../state/deliveries.js'
import { isSigned, wantDialects } from '../../state/dialects.js'
import { route } from '../../state/route.js'
import { recording } from '../../state/session.js'
import { BulkRedelivery } from './bulk-redelivery.js'
import { VerdictMark } from './verdict-mark.js'

const DeliveryPage = lazy('The delivery', async () => (await import('./delivery-page.js')).DeliveryPage)

const Receivers = lazy('The receivers', async () => (await import('./receivers.js')).Receivers)

const DeliveryAgain = lazy(
  'The editor',
  async () => (await import('../again/delivery-again.js')).DeliveryAgain,
)

/** The list of deliveries, and the selected one or the receivers. */
export function WebhooksView() {
  const { id, query } = route.value
  useEffect(followDeliveries, [])
  useEffect(wantDialects, [])
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
        {id === undefined ? (
          <Aside />
        ) : query['again'] === undefined ? (
          <DeliveryPage key={id} id={id} />
        ) : (
          <DeliveryAgain key={id} id={id} attempt={Number(query['again'])} />
        )}
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
  const openId = route.value.id
  if (deliveries.length === 0) {
    if (isLoadingDeliveries.value) return <Loading what="The deliveries" />
    return deliveryCount.value === 0 ? <NoWebhooks /> : <NoMatches />
  }
  return (
    <VirtualList
      items={deliveries}
      label="Deliveries, newest first"
      openId={openId}
      placeOf={({ created_at: at = '' }) => ({ at: Date.parse(at) })}
      routeOf={(id) => ({ view: 'webhooks', id, query: deliveryFilter.value })}
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

/** The filters of the deliveries, which are in the address. */
function DeliveryFilters() {
  const { state, text } = deliveryFilter.value
  return (
    <search class="filters">
      <SearchField
        label="Search deliveries"
        placeholder="Search event, URL, task, id, answer"
        value={text}
        onSearch={(text) => setDeliveryFilter({ text })}
      />
      <Chips
        label="State"
        chips={DELIVERY_STATES.map((each) => ({
          value: each,
          label: stateLabel(each),
          icon: iconFor(each),
          look: `state-${each}`,
          count: deliveryStateCounts.value[each],
        }))}
        chosen={state}
        onChoose={(state) => setDeliveryFilter({ state })}
      />
      <Choices />
    </search>
  )
}

function Choices() {
  const { event, receiver, verdict, task } = deliveryFilter.value
  const { events, receivers } = deliveryChoices.value
  return (
    <div class="choices">
      <Choice
        label="Event"
        all="All events"
        value={event}
        values={withChosen(events, event)}
        onChoose={(event) => setDeliveryFilter({ event })}
      />
      <Choice
        label="Receiver"
        all="All receivers"
        value={receiver}
        values={withChosen(receivers, receiver)}
        onChoose={(receiver) => setDeliveryFilter({ receiver })}
      />
      {recording.value === undefined && <VerdictChoice verdict={verdict} />}
      {task !== '' && (
        <Button
          icon="close"
          label={`Deliveries of all tasks, not only ${task}`}
          onPress={() => setDeliveryFilter({ task: '' })}
        >
          {task.length > 16 ? `${task.slice(0, 15)}…` : task}
        </Button>
      )}
      {isFiltered() && (
        <ClearFilters
          shown={filteredDeliveries.value.length}
          onClear={() => setDeliveryFilter(deliveryFilterIn({}))}
        />
      )}
      {recording.value === undefined && <BulkRedelivery />}
    </div>
  )
}

function isFiltered(): boolean {
  return Object.values(deliveryFilter.value).some((value) => value.trim() !== '')
}

function VerdictChoice({ verdict }: { readonly verdict: string }) {
  const known = VERDICTS.filter((each) => deliveryChoices.value.verdicts.has(each))
  const isFlawed = known.some((each) => each !== 'valid' && each !== 'none')
  const values = [...known, ...(isFlawed ? [DECEIVED] : [])]
  return (
    <Choice
      label="Signature"
      all="All signatures"
      value={verdict}
      values={withChosen(values, verdict)}
      labelOf={(each) => (each === DECEIVED ? 'wrongly accepted' : VERDICT_LABELS[each as Verdict])}
      onChoose={(verdict) => setDeliveryFilter({ verdict })}
    />
  )
}
