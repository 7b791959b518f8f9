import { signal } from '@preact/signals'
import { isActive } from '../../model/recording.js'
import { Dialog } from '../../parts/dialog.js'
import { setTo } from '../../parts/hooks.js'
import { REFERENCE_URL } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { recording } from '../../state/session.js'

export const isHelpOpen = signal(false)

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 5', 'tasks, requests, webhooks, findings, scenario'],
  ['/', 'search tasks, requests or deliveries'],
  ['c', 'create a task'],
  ['Ctrl Enter', 'run the new task; apply the scenario'],
  ['j k or ↓ ↑', 'next and previous task, request or delivery'],
  ['Enter', 'open it'],
  ['Escape', 'back to the list; close this dialog'],
  ['p', 'pause or resume the clock'],
  ['.  m  h', 'advance by 10 seconds, 1 minute, 1 hour'],
  ['n  w  u', 'advance to the next event, webhook, URL expiry'],
  ['i', 'advance until no events are scheduled'],
  ['Ctrl Space', 'suggest keys and values of the scenario'],
  ['d', 'switch between light and dark theme'],
  ['?', 'show this help'],
]

/** The dialog with the keyboard shortcuts. */
export function Help() {
  if (!isHelpOpen.value) return null
  const close = setTo(isHelpOpen, false)
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl>
        {KEYS.filter(([keys]) => isActive(keys.charAt(0), recording.value)).map(([keys, description]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <p class="muted help-more">
        The{' '}
        <a href={withToken(REFERENCE_URL)} target="_blank" rel="noreferrer">
          API reference
        </a>{' '}
        describes every operation of the service and of the control API.
      </p>
    </Dialog>
  )
}
