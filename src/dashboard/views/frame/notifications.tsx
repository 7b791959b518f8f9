import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { dismiss, notifications } from '../../state/notifications.js'

/** The area for messages. It shows one at a time, the latest first. */
export function Notifications() {
  const latest = notifications.value.at(-1)
  return (
    <div class="notices" aria-live="polite">
      {latest !== undefined && (
        <div key={latest.id} class={`notice notice-${latest.tone}`}>
          <Icon name={latest.tone === 'good' ? 'succeeded' : 'failed'} />
          <p>
            {latest.text}
            {latest.times > 1 && ` (${latest.times} times)`}
          </p>
          <Button variant="quiet" icon="close" label="Dismiss" onPress={() => leave(latest.id)} />
        </div>
      )}
    </div>
  )
}

/** Dismisses a message. The focus goes to the view if no other message follows. */
function leave(id: number): void {
  dismiss(id)
  if (notifications.value.length === 0) document.getElementById('main')?.focus()
}
