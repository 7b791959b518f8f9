import { useSignal } from '@preact/signals'
import { runAction } from '../state/notifications.js'
import { CONFIRMATION_DURATION, copyText } from './copy-text.js'
import { Menu } from './menu.js'

/** Something to copy. */
export interface CopyItem {
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
