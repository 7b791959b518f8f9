import type { TargetedKeyboardEvent } from 'preact'
import { itemWith, KEYS, nextItem } from '../model/menu-keys.js'
import type { IconName } from './icon.js'
import { Panel } from './panel.js'

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
  text,
  label = text,
  items,
}: {
  readonly icon: IconName
  readonly text: string
  readonly label?: string
  readonly items: readonly MenuItem[]
}) {
  return (
    <span class="menu">
      <Panel kind="menu" icon={icon} label={label} text={text} panelName="menu-list" onKey={press}>
        {(close) => items.map((item) => <Line key={item.label} item={item} onChosen={close} />)}
      </Panel>
    </span>
  )
}

function Line({ item, onChosen }: { readonly item: MenuItem; readonly onChosen: () => void }) {
  const { label, note, onChoose, href, download } = item
  const Tag = href === undefined ? 'button' : 'a'
  const choose = () => {
    onChosen()
    onChoose?.()
  }
  return (
    <Tag
      role="menuitem"
      tabIndex={-1}
      onClick={choose}
      {...(href === undefined ? { type: 'button' } : { href, download })}
    >
      <span>{label}</span>
      {note !== undefined && <small>{note}</small>}
    </Tag>
  )
}

/** Handles the keys of an open menu. The shortcuts of the page do not apply in it. */
function press(event: TargetedKeyboardEvent<HTMLElement>, close: () => void): void {
  const { key, ctrlKey, metaKey, altKey, currentTarget } = event
  if (ctrlKey || metaKey || altKey || key === 'Enter' || key === ' ') return
  if (key === 'Tab') {
    close()
    return
  }
  event.preventDefault()
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const labels = items.map(({ textContent }) => textContent ?? '')
  const current = items.indexOf(document.activeElement as HTMLElement)
  items[KEYS.includes(key) ? nextItem(items.length, current, key) : itemWith(labels, current, key)]?.focus()
}
