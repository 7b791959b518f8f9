import { useSignal } from '@preact/signals'
import { stateLabel } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { Choice } from '../../parts/choice.js'
import { route } from '../../state/route.js'
import { control, deliveryVersion, simulator } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'
import { DeliveryList } from './delivery-list.js'
import { Receivers } from './receivers.js'

const STATES = ['pending', 'delivered', 'given_up', 'lost'] as const
const PAGE = 50
const MAX_DELIVERIES = 1_000

/** The deliveries and the receivers. */
export function WebhooksView() {
  const state = useSignal<string>('')
  const limit = useSignal(PAGE)
  const { sandbox, id } = route.value
  const wanted = STATES.find((known) => known === state.value)
  const { value: page, reload } = useFetched(
    `deliveries ${sandbox} ${state.value} ${limit.value}`,
    deliveryVersion.value,
    () => control.value.deliveries.list({ limit: limit.value, ...(wanted && { state: wanted }) }),
  )
  const { deliveries = {} } = simulator.value ?? {}
  return (
    <div class="columns">
      <Card
        title="Deliveries"
        aside={
          <Choice
            label="State"
            all="All states"
            value={state.value}
            values={STATES}
            labelOf={stateLabel}
            onChoose={(value) => {
              state.value = value
            }}
          />
        }
      >
        <ul class="counts">
          {STATES.map((each) => (
            <li key={each}>
              <b>{deliveries[each] ?? 0}</b> {stateLabel(each)}
            </li>
          ))}
        </ul>
        <DeliveryList
          deliveries={page?.data ?? []}
          empty={
            page === undefined
              ? 'Loading…'
              : 'No webhooks yet. When a task ends, a webhook goes to its webhook_url and to every receiver. To send one now, press Test next to a receiver.'
          }
          openId={id}
          withTask
          onChange={reload}
        />
        {page?.has_more === true && limit.value < MAX_DELIVERIES && (
          <Button
            onPress={() => {
              limit.value = Math.min(MAX_DELIVERIES, limit.value * 4)
            }}
          >
            Show more
          </Button>
        )}
      </Card>
      <Receivers />
    </div>
  )
}
