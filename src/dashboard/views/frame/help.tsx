import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.js'

export const isHelpOpen = signal(false)

const KEYS: readonly (readonly [string, string])[] = [
  ['1 – 5', 'tasks, webhooks, findings, scenario, metrics'],
  ['/', 'search tasks'],
  ['j k or ↓ ↑', 'next and previous task'],
  ['Enter', 'open the task'],
  ['Escape', 'back to the list; close this dialog'],
  ['p', 'pause or resume the clock'],
  ['.  m  h', 'advance by 10 seconds, 1 minute, 1 hour'],
  ['n', 'advance to the next event'],
  ['i', 'advance until no events are scheduled'],
  ['Ctrl Enter', 'apply the scenario'],
  ['d', 'switch between light and dark theme'],
  ['?', 'show this help'],
]

/** The dialog with the keyboard shortcuts. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = isHelpOpen.value
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const close = () => {
    isHelpOpen.value = false
  }
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onCancel={close} onClose={close}>
      <header>
        <h2 id="help-title">Keyboard shortcuts</h2>
        <Button variant="quiet" icon="close" label="Close" onPress={close} />
      </header>
      <dl>
        {KEYS.map(([keys, description]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
