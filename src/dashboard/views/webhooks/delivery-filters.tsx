import { stateLabel } from '../../model/format.js'
import { DECEIVED, DELIVERY_STATES, deliveryFilterIn } from '../../model/webhooks/delivery-filter.js'
import { VERDICT_LABELS, VERDICTS, type Verdict } from '../../model/webhooks/verdict.js'
import { withChosen } from '../../model/with-chosen.js'
import { Button } from '../../parts/button.js'
import { Chips } from '../../parts/chips.js'
import { Choice } from '../../parts/choice.js'
import { ClearFilters } from '../../parts/clear-filters.js'
import { iconFor } from '../../parts/icon.js'
import { SearchField } from '../../parts/search-field.js'
import {
  deliveryChoices,
  deliveryFilter,
  deliveryStateCounts,
  filteredDeliveries,
  setDeliveryFilter,
} from '../../state/deliveries.js'
import { recording } from '../../state/session.js'
import { BulkRedelivery } from './bulk-redelivery.js'

/** The filters of the deliveries, which are in the address. */
export function DeliveryFilters() {
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
