import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { dismiss, notifications } from '../../state/notifications.js'

/** Short-lived messages, each dismissed after a few seconds. */
export function Notifications() {
  return (
    <div class="notifications" aria-live="polite">
      {notifications.value.map(({ id, tone, text }) => (
        <div key={id} class={`notification notification-${tone}`}>
          <Icon name={tone === 'good' ? 'succeeded' : 'failed'} />
          <p>{text}</p>
          <Button variant="quiet" icon="close" label="Dismiss" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
