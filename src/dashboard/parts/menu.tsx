import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { nextItem } from '../model/menu-keys.js'
import { Icon, type IconName } from './icon.js'
import { placePopover } from './place-popover.js'

type ListRef = RefObject<HTMLDivElement | null>

/** A line of a menu: an action, or a link to a file to save. */
export interface MenuItem {
  readonly label: string
  /** A short text at the end of the line, such as a format. */
  readonly note?: string
  readonly onChoose?: () => unknown
  readonly href?: string
  /** The name of the file that `href` is saved as. */
  readonly download?: string
}

/**
 * A button that opens a list of actions.
 * @param label the accessible name, if the text of the button does not say what the actions are for
 */
export function Menu({
  icon,
  label,
  items,
  children,
}: {
  readonly icon: IconName
  readonly label?: string
  readonly items: readonly MenuItem[]
  readonly children: ComponentChildren
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isOpen = useSignal(false)
  const close = () => {
    list.current?.hidePopover()
    button.current?.focus({ preventScroll: true })
  }
  useCloseOnScroll(isOpen.value, list)
  const toggle = ({ newState }: { readonly newState: string }) => {
    isOpen.value = newState === 'open'
    if (isOpen.value) placePopover(button.current, list.current)
  }
  const open = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    list.current?.showPopover()
  }
  return (
    <span class="menu">
      <button
        ref={button}
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        {...(label !== undefined && { 'aria-label': label, title: label })}
        popovertarget={id}
        onKeyDown={open}
      >
        <Icon name={icon} />
        <span>{children}</span>
        <Icon name="down" />
      </button>
      <div
        ref={list}
        id={id}
        class="menu-list"
        role="menu"
        tabIndex={-1}
        popover="auto"
        aria-label={label ?? (typeof children === 'string' ? children : undefined)}
        onBeforeToggle={toggle}
        onToggle={({ newState }) => {
          if (newState === 'open') itemsOf(list)[0]?.focus({ preventScroll: true })
        }}
        onKeyDown={(event) => press(event, list, close)}
      >
        {items.map((item) => (
          <Line key={item.label} item={item} onChosen={close} />
        ))}
      </div>
    </span>
  )
}

function Line({ item, onChosen }: { readonly item: MenuItem; readonly onChosen: () => void }) {
  const { label, note, onChoose, href, download } = item
  const content = (
    <>
      <span>{label}</span>
      {note !== undefined && <small>{note}</small>}
    </>
  )
  const choose = () => {
    onChosen()
    onChoose?.()
  }
  return href === undefined ? (
    <button type="button" role="menuitem" tabIndex={-1} onClick={choose}>
      {content}
    </button>
  ) : (
    <a role="menuitem" tabIndex={-1} href={href} download={download} onClick={choose}>
      {content}
    </a>
  )
}

/** Handles the keys of an open menu. The shortcuts of the page do not apply in it. */
function press(event: KeyboardEvent, list: ListRef, close: () => void): void {
  const { key, ctrlKey, metaKey, altKey } = event
  if (ctrlKey || metaKey || altKey || key === 'Enter' || key === ' ') return
  if (key !== 'Tab') event.preventDefault()
  if (key === 'Tab' || key === 'Escape') {
    close()
    return
  }
  const items = itemsOf(list)
  const labels = items.map(({ textContent }) => textContent ?? '')
  const current = items.indexOf(document.activeElement as HTMLElement)
  items[nextItem(labels, current, key)]?.focus()
}

function itemsOf(list: ListRef): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
}

/** An open menu does not move with its button. */
function useCloseOnScroll(isOpen: boolean, list: ListRef): void {
  useEffect(() => {
    if (!isOpen) return
    const close = ({ target }: Event) => {
      if (target !== list.current) list.current?.hidePopover()
    }
    document.addEventListener('scroll', close, true)
    return () => document.removeEventListener('scroll', close, true)
  }, [isOpen])
}
