import { useSignal } from '@preact/signals'
import { Button } from './button.js'
import { CONFIRMATION_DURATION, copyText } from './copy-text.js'

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
