import { useSignal } from '@preact/signals'
import type { TargetedKeyboardEvent } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { itemWith, KEYS, nextItem } from '../model/menu-keys.js'
import { Icon, type IconName } from './icon.js'

/** A line of a menu: an action, a choice, or a link, such as to a file to save. */
export interface MenuItem {
  readonly label: string
  /** A short text at the end of the line, such as a format. */
  readonly note?: string
  readonly onChoose?: () => unknown
  /** Whether the choice is the current one; undefined if the line is no choice. */
  readonly isChosen?: boolean
  readonly href?: string
  /** The name of the file that `href` is saved as. */
  readonly download?: string
}

/**
 * A button that opens a list of actions or choices beside it. Escape and a click elsewhere close it. The stylesheet
 * places it, and the browser returns the focus to where it was.
 * @param label the accessible name, if the text of the button does not say what the actions are for
 * @param name classes of the button
 */
export function Menu({
  icon,
  text,
  label = text,
  name = '',
  items,
  onOpen,
}: {
  readonly icon: IconName
  readonly text: string
  readonly label?: string
  readonly name?: string
  readonly items: readonly MenuItem[]
  readonly onOpen?: () => void
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const isOpen = useSignal(false)
  const close = () => list.current?.hidePopover()
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    // A key may come before the focus is in the open list.
    if (isOpen.value) press(event, list.current, close)
    else if (event.key === 'ArrowDown') {
      event.preventDefault()
      event.currentTarget.click()
    }
  }
  return (
    <span class="menu">
      <button
        type="button"
        class={`button ${name}`}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        popovertarget={id}
        onKeyDown={onKeyDown}
      >
        <Icon name={icon} />
        <span class="one-line">{text}</span>
        <Icon name="down" />
      </button>
      <div
        ref={list}
        id={id}
        class="menu-list"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onBeforeToggle={({ newState }) => {
          isOpen.value = newState === 'open'
          if (isOpen.value) onOpen?.()
        }}
        onToggle={({ newState }) => {
          if (newState === 'open' && !list.current?.contains(document.activeElement))
            list.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
        }}
        onKeyDown={onKeyDown}
      >
        {isOpen.value &&
          items.map((item) => <Line key={item.href ?? item.label} item={item} onChosen={close} />)}
      </div>
    </span>
  )
}

function Line({ item, onChosen }: { readonly item: MenuItem; readonly onChosen: () => void }) {
  const { label, note, onChoose, isChosen, href, download } = item
  const Tag = href === undefined ? 'button' : 'a'
  const choose = () => {
    onChosen()
    onChoose?.()
  }
  return (
    <Tag
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={choose}
      {...(href === undefined ? { type: 'button' } : { href, download })}
    >
      <span class="one-line">{label}</span>
      {note !== undefined && <small>{note}</small>}
    </Tag>
  )
}

/** Handles the keys of an open menu. The shortcuts of the page do not apply in it. */
function press(event: KeyboardEvent, list: HTMLElement | null, close: () => void): void {
  const { key, ctrlKey, metaKey, altKey } = event
  const isChoice = key === 'Enter' || key === ' '
  if (ctrlKey || metaKey || altKey || (isChoice && list?.contains(document.activeElement))) return
  if (key !== 'Tab') event.preventDefault()
  if (key === 'Tab' || key === 'Escape') {
    close()
    return
  }
  const items = [...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const labels = items.map(({ textContent }) => textContent ?? '')
  const current = Math.max(0, items.indexOf(document.activeElement as HTMLElement))
  if (isChoice) items[current]?.click()
  else
    items[KEYS.includes(key) ? nextItem(items.length, current, key) : itemWith(labels, current, key)]?.focus()
}
