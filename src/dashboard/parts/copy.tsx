import { useSignal } from '@preact/signals'
import { notify, runAction } from '../state/notifications.js'
import { Button } from './button.js'
import { Menu } from './menu.js'

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

/** How long a button confirms that it has copied, in milliseconds. */
const CONFIRMATION_DURATION = 1_600

/**
 * Copies a text to the clipboard. Browsers offer the clipboard only to HTTPS and localhost; elsewhere, the text is shown
 * for selection.
 */
async function copyText(text: string | Promise<string>): Promise<void> {
  if (navigator.clipboard === undefined) {
    notify(
      'bad',
      `The browser allows copying only over HTTPS or on localhost. Select the text here:\n${await text}`,
    )
    return
  }
  if (typeof text === 'string') return navigator.clipboard.writeText(text)
  // Safari accepts a text that is still loading only in this form.
  const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}

/** Something to copy. */
interface CopyItem {
  /** What it is, such as `curl command`. */
  readonly label: string
  readonly note?: string
  readonly text: string | (() => string | Promise<string>)
}

/** The menu that copies an item of the page in several forms, such as a link, a command or a test. */
export function CopyMenu({ of, items }: { readonly of: string; readonly items: readonly CopyItem[] }) {
  const copied = useSignal('')
  const copy = async ({ label, text }: CopyItem) => {
    await copyText(typeof text === 'string' ? text : text())
    copied.value = label
    setTimeout(() => {
      copied.value = ''
    }, CONFIRMATION_DURATION)
  }
  const isDone = copied.value !== ''
  return (
    <>
      <Menu
        icon={isDone ? 'done' : 'copy'}
        label={isDone ? 'Copied' : `Copy ${of}`}
        items={items.map((item) => ({ ...item, onChoose: () => runAction(() => copy(item)) }))}
      >
        {isDone ? 'Copied' : 'Copy'}
      </Menu>
      <span class="visually-hidden" role="status">
        {isDone && `Copied: ${copied.value}`}
      </span>
    </>
  )
}
