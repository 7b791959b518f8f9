import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { DeliveryShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { isAccepted } from '../../model/webhooks/attempts.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { setTo, setter, useFocusLeftTo } from '../../parts/hooks.js'
import { failedDeliveries } from '../../state/deliveries.js'
import { notify } from '../../state/notifications.js'
import { control } from '../../state/session.js'

/** Receivers must not be flooded. */
const AT_ONCE = 4

interface Progress {
  readonly total: number
  readonly sent: number
  readonly accepted: number
  /** How many the server could not send, because they are gone or because it does not answer. */
  readonly unsent: number
}

/** Sends all webhooks of the filter again that did not arrive. */
export function BulkRedelivery() {
  const isOpen = useSignal(false)
  const failed = failedDeliveries.value
  const box = useFocusLeftTo<HTMLSpanElement>('[data-list]')
  if (failed.length === 0 && !isOpen.value) return null
  return (
    <span ref={box}>
      <Button
        icon="again"
        label="Redeliver the failed and lost webhooks of this filter"
        onPress={setTo(isOpen, true)}
      >
        Redeliver {failed.length}
      </Button>
      {isOpen.value && <RedeliveryDialog ids={failed.map(({ id }) => id)} onClose={setTo(isOpen, false)} />}
    </span>
  )
}

function RedeliveryDialog({
  ids,
  onClose,
}: {
  readonly ids: readonly string[]
  readonly onClose: () => void
}) {
  // The list shrinks while its webhooks are sent again.
  const chosen = useRef(ids).current
  const progress = useSignal<Progress | undefined>(undefined)
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const start = async () => {
    progress.value = { total: chosen.length, sent: 0, accepted: 0, unsent: 0 }
    const result = await redeliverAll(chosen, progress.value, {
      isStopped: () => isStopped.current,
      onProgress: setter(progress),
    })
    report(result)
    onClose()
  }
  const stop = () => {
    isStopped.current = true
    if (progress.value === undefined) onClose()
  }
  const count = plural(chosen.length, 'webhook')
  return (
    <Dialog title={`Redeliver ${count}?`} onClose={stop}>
      {progress.value === undefined ? (
        <p>
          The failed and lost webhooks of the current filter are sent again, oldest first and without faults.
          Those that were already redelivered are left out.
        </p>
      ) : (
        <div class="progress" role="status">
          <progress
            max={progress.value.total}
            value={progress.value.sent + progress.value.unsent}
            aria-label="Webhooks sent"
          />
          <p>
            {progress.value.sent} of {count} sent, {progress.value.accepted} accepted
          </p>
        </div>
      )}
      <div class="actions">
        <span class="spring" />
        <Button onPress={stop}>{progress.value === undefined ? 'Cancel' : 'Stop'}</Button>
        {progress.value === undefined && (
          <Button variant="accent" icon="again" onPress={start}>
            Redeliver {count}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface Run {
  isStopped(): boolean
  onProgress(progress: Progress): void
}

async function redeliverAll(ids: readonly string[], first: Progress, run: Run): Promise<Progress> {
  const { redeliver } = control.peek().deliveries
  const waiting = [...ids]
  let progress = first
  const work = async () => {
    for (let id = waiting.pop(); id !== undefined && !run.isStopped(); id = waiting.pop()) {
      // One that was evicted meanwhile must not stop the others.
      const copy = await redeliver(id).catch(() => undefined)
      progress = counted(progress, copy)
      run.onProgress(progress)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return progress
}

function counted(progress: Progress, copy: DeliveryShape | undefined): Progress {
  if (copy === undefined) return { ...progress, unsent: progress.unsent + 1 }
  const last = copy.attempts.at(-1)
  const accepted = last !== undefined && isAccepted(last) ? 1 : 0
  return { ...progress, sent: progress.sent + 1, accepted: progress.accepted + accepted }
}

function report({ sent, accepted, unsent }: Progress): void {
  if (unsent > 0) {
    notify(
      'bad',
      `${plural(unsent, 'webhook')} could not be redelivered, ${sent} redelivered, ${accepted} accepted.`,
    )
    return
  }
  notify(
    accepted === sent ? 'good' : 'bad',
    accepted === sent
      ? `${plural(sent, 'webhook')} redelivered, all accepted.`
      : `${sent} redelivered, ${accepted} accepted. The others are retried, or have failed again.`,
  )
}
