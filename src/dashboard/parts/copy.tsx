import { useSignal } from '@preact/signals'
import type { ServiceRequestShape } from '../../control/shapes.js'
import type { View } from '../model/routes.js'
import { notify, runAction } from '../state/notifications.js'
import { linkTo } from '../state/route.js'
import { Button } from './button.js'
import { setTo } from './hooks.js'
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
  const { copied, copy } = useCopy()
  const isDone = copied !== ''
  return (
    <Button
      icon={isDone ? 'done' : 'copy'}
      variant={children === undefined ? 'quiet' : 'plain'}
      label={isDone ? 'Copied' : label}
      onPress={() => copy({ label, text })}
    >
      {children === undefined ? undefined : isDone ? 'Copied' : children}
    </Button>
  )
}

/** Copies things, and names the one that was just copied; empty otherwise. */
function useCopy() {
  const copied = useSignal('')
  const copy = async ({ label, text }: CopyItem) => {
    await copyText(typeof text === 'string' ? text : text())
    copied.value = label
    setTimeout(setTo(copied, ''), CONFIRMATION_DURATION)
  }
  return { copied: copied.value, copy }
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

export interface CopyMenuProps {
  /** Such as `this task`. */
  readonly of: string
  readonly view: View
  readonly id: string
  /** The item itself. */
  readonly value: object
  /** What the JSON has, such as `with its answer`. */
  readonly jsonNote?: string
  readonly items?: readonly CopyItem[]
}

/** The menu that copies an item of the page as a link, as its id, as JSON, and in further forms. */
export function CopyMenu({ of, view, id, value, jsonNote, items = [] }: CopyMenuProps) {
  const { copied, copy } = useCopy()
  const isDone = copied !== ''
  const all: readonly CopyItem[] = [
    { label: 'Link', text: () => new URL(linkTo({ view, id }), location.href).href },
    { label: 'ID', text: id },
    ...items,
    {
      label: 'JSON',
      ...(jsonNote !== undefined && { note: jsonNote }),
      text: () => JSON.stringify(value, null, 2),
    },
  ]
  return (
    <>
      <Menu
        icon={isDone ? 'done' : 'copy'}
        label={isDone ? 'Copied' : `Copy ${of}`}
        text={isDone ? 'Copied' : 'Copy'}
        items={all.map((item) => ({ ...item, onChoose: () => runAction(() => copy(item)) }))}
      />
      <span class="visually-hidden" role="status">
        {isDone && `Copied: ${copied}`}
      </span>
    </>
  )
}

/** A request as items of a menu that copies them, one for each language. */
export function codeItems({ code = [] }: Pick<ServiceRequestShape, 'code'> = {}, note: string) {
  return code.map(({ language, label, text }) => ({
    label: language === 'curl' ? 'curl command' : label,
    note: language === 'sdk' ? 'client' : note,
    text,
  }))
}
