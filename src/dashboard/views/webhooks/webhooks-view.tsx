import { useEffect } from 'preact/hooks'
import type { DeliveryBriefShape } from '../../../control/shapes.js'
import { stateLabel } from '../../model/format.js'
import { VERDICT_LABELS, VERDICTS, type Verdict } from '../../model/webhooks/attempts.js'
import { DECEIVED, DELIVERY_STATES, verdictsOf } from '../../model/webhooks/deliveries.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty, Loading } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Filters, NoMatches } from '../../parts/filters.js'
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
    if (deliveryCount.value === 0) return <NoWebhooks />
    return (
      <NoMatches
        what="deliveries"
        limit="The server keeps the last 5,000 of them."
        filter={deliveryFilter.value}
        onChange={setDeliveryFilter}
      />
    )
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

/** The filters of the deliveries. */
function DeliveryFilters() {
  const { task } = deliveryFilter.value
  const { events, receivers, verdicts } = deliveryChoices.value
  const known = VERDICTS.filter((each) => verdicts.has(each))
  const isFlawed = known.some((each) => each !== 'valid' && each !== 'none')
  const verdictChoice = {
    name: 'verdict',
    label: 'Signature',
    all: 'All signatures',
    values: [...known, ...(isFlawed ? [DECEIVED] : [])],
    labelOf: (each: string) => (each === DECEIVED ? 'wrongly accepted' : VERDICT_LABELS[each as Verdict]),
  } as const
  const chips = DELIVERY_STATES.map((each) => ({
    value: each,
    label: stateLabel(each),
    icon: iconFor(each),
    look: `state-${each}`,
    count: deliveryStateCounts.value[each],
  }))
  const isRecorded = recording.value !== undefined
  return (
    <Filters
      what="deliveries"
      searched="event, URL, task, id, answer"
      filter={deliveryFilter.value}
      chips={{ name: 'state', label: 'State', chips }}
      choices={[
        { name: 'event', label: 'Event', all: 'All events', values: events },
        { name: 'receiver', label: 'Receiver', all: 'All receivers', values: receivers },
        ...(isRecorded ? [] : [verdictChoice]),
      ]}
      shown={filteredDeliveries.value.length}
      onChange={setDeliveryFilter}
    >
      {task !== '' && (
        <Button
          icon="close"
          label={`Deliveries of all tasks, not only ${task}`}
          onPress={() => setDeliveryFilter({ task: '' })}
        >
          {task.length > 16 ? `${task.slice(0, 15)}…` : task}
        </Button>
      )}
      {!isRecorded && <BulkRedelivery />}
    </Filters>
  )
}
