import { useSignal } from '@preact/signals'
import { tell } from '../state/notices.js'
import { Button } from './button.js'

const SHOWN = 1_600

/** Copies a text, and says that it did. */
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
    await put(typeof text === 'string' ? text : text())
    isDone.value = true
    setTimeout(() => {
      isDone.value = false
    }, SHOWN)
  }
  return (
    <Button
      icon={isDone.value ? 'done' : 'copy'}
      look={children === undefined ? 'quiet' : 'plain'}
      label={isDone.value ? 'Copied' : label}
      onPress={copy}
    >
      {children === undefined ? undefined : isDone.value ? 'Copied' : children}
    </Button>
  )
}

/** A page that did not come by HTTPS or from this machine has no clipboard: then the text is there to be selected. */
async function put(text: string): Promise<void> {
  if (navigator.clipboard === undefined) {
    tell('bad', `This browser copies from secure pages only. Here it is:\n${text}`)
    return
  }
  await navigator.clipboard.writeText(text)
}
