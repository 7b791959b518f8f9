import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.js'
import { Card } from '../../parts/card.js'
import { Choice } from '../../parts/choice.js'
import { place } from '../../state/place.js'
import { control, deliveryVersion, simulator } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'
import { DeliveryList } from './delivery-list.js'
import { Receivers } from './receivers.js'

const STATES = ['pending', 'delivered', 'given_up', 'lost'] as const
const PAGE = 50
const MOST = 1_000

/** Who gets webhooks, and what became of those that were sent. */
export function WebhooksView() {
  const state = useSignal<string>('')
  const limit = useSignal(PAGE)
  const { sandbox, id } = place.value
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
            all={`Every state`}
            value={state.value}
            values={STATES}
            onChoose={(value) => {
              state.value = value
            }}
          />
        }
      >
        <ul class="tallies">
          {STATES.map((each) => (
            <li key={each}>
              <b>{deliveries[each] ?? 0}</b> {each.replace('_', ' ')}
            </li>
          ))}
        </ul>
        <DeliveryList
          deliveries={page?.data ?? []}
          empty={
            page === undefined
              ? 'Loading…'
              : 'Nothing was sent yet. A task that ends tells its webhook_url and every receiver; or press Test beside a receiver.'
          }
          openId={id}
          withTask
          onChange={reload}
        />
        {page?.has_more === true && limit.value < MOST && (
          <Button
            onPress={() => {
              limit.value = Math.min(MOST, limit.value * 4)
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
