import { useSignal } from '@preact/signals'
import { notify } from '../state/notifications.js'
import { Button } from './button.js'

const CONFIRMATION_DURATION = 1_600

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({
  text,
  label,
  children,
}: {
  readonly text: string | (() => string)
  readonly label: string
  readonly children?: string
}) {
  const isDone = useSignal(false)
  const copy = async () => {
    await copyText(typeof text === 'string' ? text : text())
    isDone.value = true
    setTimeout(() => {
      isDone.value = false
    }, CONFIRMATION_DURATION)
  }
  return (
    <Button
      icon={isDone.value ? 'done' : 'copy'}
      variant={children === undefined ? 'quiet' : 'plain'}
      label={isDone.value ? 'Copied' : label}
      onPress={copy}
    >
      {children === undefined ? undefined : isDone.value ? 'Copied' : children}
    </Button>
  )
}

/** Browsers offer the clipboard only to HTTPS and localhost; elsewhere, the text is shown for selection. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard === undefined) {
    notify(
      'bad',
      `The browser allows copying only over HTTPS or on localhost. Select the text here:\n${text}`,
    )
    return
  }
  await navigator.clipboard.writeText(text)
}
