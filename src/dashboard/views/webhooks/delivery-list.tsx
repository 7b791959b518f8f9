import type { DeliveryShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { verdictOf } from '../../model/webhooks/attempts.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { Button } from '../../parts/button.js'
import { lazy } from '../../parts/lazy.js'
import { isSigned } from '../../state/dialects.js'
import { runAction } from '../../state/notifications.js'
import { linkTo, route } from '../../state/route.js'
import { control, recording } from '../../state/session.js'

const AttemptView = lazy('The attempt', async () => (await import('./attempt-view.js')).AttemptView)

/** Deliveries with their attempts. */
export function DeliveryList({
  deliveries,
  empty,
  onChange,
}: {
  readonly deliveries: readonly DeliveryShape[]
  readonly empty: string
  readonly onChange: () => void
}) {
  if (deliveries.length === 0) return <p class="hint">{empty}</p>
  return (
    <div class="deliveries stack">
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} onChange={onChange} />
      ))}
    </div>
  )
}

function Delivery({
  delivery,
  onChange,
}: {
  readonly delivery: DeliveryShape
  readonly onChange: () => void
}) {
  const { id, event, url, state, attempts, created_at: at } = delivery
  const redeliver = async () => {
    await runAction(() => control.value.deliveries.redeliver(id), 'Webhook redelivered.')
    onChange()
  }
  return (
    <details class="delivery">
      <summary>
        <StateBadge state={state} />
        <span class="delivery-what">
          <b>{event}</b>
          <code class="one-line">{url}</code>
        </span>
        <span class="delivery-when">
          {at !== undefined && <Instant at={at} />}
          <span class="muted">{plural(attempts.length, 'attempt')}</span>
        </span>
      </summary>
      <div class="delivery-body stack">
        <div class="actions">
          {recording.value === undefined && (
            <Button icon="again" onPress={redeliver}>
              Redeliver
            </Button>
          )}
          <a href={linkTo({ view: 'webhooks', id })}>Show delivery</a>
        </div>
        <DeliveryNotes delivery={delivery} />
        {attempts.map((each, index) => (
          <AttemptView
            key={each.number}
            attempt={each}
            verdict={verdictOf(each, isSigned.value(delivery.dialect))}
            previous={attempts[index - 1]}
          />
        ))}
      </div>
    </details>
  )
}

/** What is special about a delivery; nothing if nothing is. */
export function DeliveryNotes({
  delivery: { state, fault, copy_of: copyOf, next_attempt_at: next },
}: {
  readonly delivery: DeliveryShape
}) {
  if (state !== 'lost' && fault === undefined && copyOf === undefined && next === undefined) return null
  return (
    <p class="plan">
      {state === 'lost' && <>A webhook fault dropped this delivery: nothing was sent. </>}
      {fault !== undefined && <>Webhook fault by the rule “{fault}”. </>}
      {copyOf !== undefined && (
        <>
          Copy of <a href={linkTo({ view: 'webhooks', id: copyOf, query: route.value.query })}>{copyOf}</a>.{' '}
        </>
      )}
      {next !== undefined && (
        <>
          Next attempt at <Instant at={next} />.
        </>
      )}
    </p>
  )
}
