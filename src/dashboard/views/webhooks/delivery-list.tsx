import type { DeliveryShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { verdictOf } from '../../model/webhooks/attempts.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { Button } from '../../parts/button.js'
import { lazy } from '../../parts/lazy.js'
import { isSigned } from '../../state/dialects.js'
import { runAction } from '../../state/notifications.js'
import { linkTo } from '../../state/route.js'
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
    <div class="deliveries">
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
  const {
    id,
    event,
    url,
    state,
    attempts,
    created_at: at,
    next_attempt_at: next,
    fault,
    copy_of: copyOf,
  } = delivery
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
          <code>{url}</code>
        </span>
        <span class="delivery-when">
          {at !== undefined && <Instant at={at} />}
          <span class="muted">{plural(attempts.length, 'attempt')}</span>
        </span>
      </summary>
      <div class="delivery-body">
        <div class="actions">
          {recording.value === undefined && (
            <Button icon="again" onPress={redeliver}>
              Redeliver
            </Button>
          )}
          <a href={linkTo({ view: 'webhooks', id })}>Show delivery</a>
        </div>
        <p class="muted">
          {copyOf !== undefined && <>Copy of {copyOf}. </>}
          {fault !== undefined && <>Webhook fault by the rule “{fault}”. </>}
          {next !== undefined && (
            <>
              Next attempt at <Instant at={next} />.{' '}
            </>
          )}
          {state === 'lost' && <>A webhook fault dropped this delivery: nothing was sent.</>}
        </p>
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
