import type { DeliveryShape } from '../../../control/shapes.js'
import { clockTime } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { StateBadge } from '../../parts/state-badge.js'
import { runAction } from '../../state/notifications.js'
import { linkTo } from '../../state/route.js'
import { control } from '../../state/session.js'
import { AttemptView } from './attempt-view.js'

/** Deliveries with their attempts. */
export function DeliveryList({
  deliveries,
  empty,
  openId,
  withTask = false,
  onChange,
}: {
  readonly deliveries: readonly DeliveryShape[]
  readonly empty: string
  readonly openId?: string | undefined
  readonly withTask?: boolean
  readonly onChange: () => void
}) {
  if (deliveries.length === 0) return <p class="hint">{empty}</p>
  return (
    <div class="deliveries">
      {deliveries.map((delivery) => (
        <Delivery
          key={delivery.id}
          delivery={delivery}
          isOpen={delivery.id === openId}
          withTask={withTask}
          onChange={onChange}
        />
      ))}
    </div>
  )
}

function Delivery({
  delivery,
  isOpen,
  withTask,
  onChange,
}: {
  readonly delivery: DeliveryShape
  readonly isOpen: boolean
  readonly withTask: boolean
  readonly onChange: () => void
}) {
  const {
    id,
    event,
    url,
    state,
    attempts,
    task_id: task,
    created_at: at,
    next_attempt_at: next,
    fault,
    copy_of: copyOf,
  } = delivery
  const redeliver = async () => {
    await runAction(() => control.value.deliveries.redeliver(id), 'Webhook sent again.')
    onChange()
  }
  return (
    <details class="delivery" open={isOpen}>
      <summary>
        <StateBadge state={state} />
        <span class="delivery-what">
          <b>{event}</b>
          <code>{url}</code>
        </span>
        <span class="delivery-when">
          {at !== undefined && <time dateTime={at}>{clockTime(Date.parse(at))}</time>}
          <span class="muted">
            {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
          </span>
        </span>
      </summary>
      <div class="delivery-body">
        <div class="actions">
          <Button icon="again" onPress={redeliver}>
            Redeliver
          </Button>
          {withTask && task !== '' && <a href={linkTo({ view: 'tasks', id: task })}>Show task</a>}
        </div>
        <p class="muted">
          {copyOf !== undefined && <>Copy of {copyOf}. </>}
          {fault !== undefined && <>Webhook fault by the rule “{fault}”. </>}
          {next !== undefined && <>Next attempt at {clockTime(Date.parse(next))}. </>}
          {state === 'lost' && <>A webhook fault dropped this delivery; nothing was sent.</>}
        </p>
        {attempts.map((each) => (
          <AttemptView key={each.number} attempt={each} />
        ))}
      </div>
    </details>
  )
}
