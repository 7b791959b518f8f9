import { useSignal } from '@preact/signals'
import type { DeliveryShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { isAccepted } from '../../model/webhooks/attempts.js'
import { Button } from '../../parts/button.js'
import { Confirmation } from '../../parts/dialog.js'
import { setTo, useFocusLeftTo } from '../../parts/hooks.js'
import { failedDeliveries } from '../../state/deliveries.js'
import { notify } from '../../state/notifications.js'
import { control } from '../../state/session.js'

/** Sends all webhooks of the filter again that did not arrive. */
export function BulkRedelivery() {
  // The list shrinks while its webhooks are sent again.
  const chosen = useSignal<readonly string[] | undefined>(undefined)
  const failed = failedDeliveries.value
  const box = useFocusLeftTo<HTMLSpanElement>('[data-list]')
  const { value: ids } = chosen
  if (failed.length === 0 && ids === undefined) return null
  return (
    <span ref={box}>
      <Button
        icon="again"
        label="Redeliver the failed and lost webhooks of this filter"
        onPress={() => {
          chosen.value = failed.map(({ id }) => id)
        }}
      >
        Redeliver {failed.length}
      </Button>
      {ids !== undefined && (
        <Confirmation
          title={`Redeliver ${plural(ids.length, 'webhook')}?`}
          text="The failed and lost webhooks of the current filter are sent again, oldest first and without faults. Those that were already redelivered are left out. To stop, close this dialog."
          action={`Redeliver ${plural(ids.length, 'webhook')}`}
          variant="accent"
          onConfirm={async () => report(await redeliverAll(ids, () => chosen.peek() === ids))}
          onClose={setTo(chosen, undefined)}
        />
      )}
    </span>
  )
}

/** Receivers must not be flooded. */
const AT_ONCE = 4

/** @returns the copies; undefined for each one that the server could not send */
async function redeliverAll(
  ids: readonly string[],
  isWanted: () => boolean,
): Promise<readonly (DeliveryShape | undefined)[]> {
  const { redeliver } = control.peek().deliveries
  const waiting = [...ids]
  const copies: (DeliveryShape | undefined)[] = []
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined && isWanted(); id = waiting.pop())
      // One that was evicted meanwhile must not stop the others.
      copies.push(await redeliver(id).catch(() => undefined))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return copies
}

function report(copies: readonly (DeliveryShape | undefined)[]): void {
  const sent = copies.flatMap((copy) => copy ?? [])
  const accepted = sent.filter(({ attempts }) => isAccepted(attempts.at(-1) ?? {})).length
  const unsent = copies.length - sent.length
  if (unsent > 0)
    notify(
      'bad',
      `${plural(unsent, 'webhook')} could not be redelivered, ${sent.length} redelivered, ${accepted} accepted.`,
    )
  else if (accepted === sent.length)
    notify('good', `${plural(accepted, 'webhook')} redelivered, all accepted.`)
  else
    notify(
      'bad',
      `${sent.length} redelivered, ${accepted} accepted. The others are retried, or have failed again.`,
    )
}
