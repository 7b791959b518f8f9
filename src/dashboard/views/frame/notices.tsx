import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { dismiss, notices } from '../../state/notices.js'

/** What the page has to say for a moment. */
export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map(({ id, tone, text }) => (
        <div key={id} class={`notice notice-${tone}`}>
          <Icon name={tone === 'good' ? 'succeeded' : 'failed'} />
          <p>{text}</p>
          <Button look="quiet" icon="close" label="Dismiss" onPress={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
