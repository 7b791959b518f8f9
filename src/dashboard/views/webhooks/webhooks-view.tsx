import { useEffect } from 'preact/hooks'
import type { DeliveryBriefShape } from '../../../control/shapes.js'
import { stateLabel } from '../../model/format.js'
import { VERDICT_LABELS } from '../../model/webhooks/attempts.js'
import { DECEIVED, DELIVERY_STATES, verdictsOf } from '../../model/webhooks/deliveries.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Filters, isMixed, ListRows } from '../../parts/filters.js'
import { iconFor } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { Split } from '../../parts/split.js'
import { deliveryList, followDeliveries, knownVerdicts } from '../../state/deliveries.js'
import { isSigned, wantDialects } from '../../state/dialects.js'
import { route } from '../../state/route.js'
import { recording } from '../../state/session.js'
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
    <Split
      label="Deliveries"
      paneLabel={id === undefined ? 'Receivers of webhooks' : 'Delivery'}
      rows={deliveryList.shown.value.length}
      list={
        <>
          <DeliveryFilters />
          <ListRows
            list={deliveryList}
            view="webhooks"
            what="deliveries"
            limit="The server keeps the last 5,000 of them."
            empty={<NoWebhooks />}
            placeOf={({ created_at: at = '' }) => ({ at: Date.parse(at) })}
          >
            {(delivery) => <DeliveryRow delivery={delivery} />}
          </ListRows>
        </>
      }
    >
      {id === undefined ? (
        <Aside />
      ) : query['again'] === undefined ? (
        <DeliveryPage key={id} id={id} />
      ) : (
        <DeliveryAgain key={id} id={id} attempt={Number(query['again'])} />
      )}
    </Split>
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

function DeliveryRow({ delivery }: { readonly delivery: DeliveryBriefShape }) {
  const { state, event, url, created_at: at, dialect, attempts, copy_of: copyOf } = delivery
  const last = attempts.at(-1)
  const verdict = verdictsOf(delivery, isSigned.value).at(-1)
  return (
    <>
      <StateMark state={state} />
      <span class="row-title">
        {event}
        {isMixed(deliveryList) && <span class="row-dialect">{dialect}</span>}
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

const CHIPS = DELIVERY_STATES.map((each) => ({
  value: each,
  label: stateLabel(each),
  icon: iconFor(each),
  look: `state-${each}`,
}))

const CHOICES = [
  { name: 'event', label: 'Event', all: 'All events' },
  { name: 'receiver', label: 'Receiver', all: 'All receivers' },
] as const

/** The choice of what the receivers find out about the signatures. */
function verdictChoice() {
  const labels = { ...VERDICT_LABELS, [DECEIVED]: 'wrongly accepted' }
  const values = Object.keys(labels).filter((each) => knownVerdicts.value.includes(each))
  return { name: 'verdict', label: 'Signature', all: 'All signatures', values, labels } as const
}

/** The filters of the deliveries. */
function DeliveryFilters() {
  const { task } = deliveryList.conditions.value
  // The page does not know the secret of a real service.
  const isRecorded = recording.value !== undefined
  return (
    <Filters
      list={deliveryList}
      what="deliveries"
      searched="event, URL, task, id, answer"
      label="State"
      chips={CHIPS}
      choices={isRecorded ? CHOICES : [...CHOICES, verdictChoice()]}
    >
      {task !== '' && (
        <Button
          icon="close"
          label={`Deliveries of all tasks, not only ${task}`}
          onPress={() => deliveryList.setConditions({ task: '' })}
        >
          {task.length > 16 ? `${task.slice(0, 15)}…` : task}
        </Button>
      )}
    </Filters>
  )
}
