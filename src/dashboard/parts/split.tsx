import type { ComponentChildren } from 'preact'
import { linkTo, route } from '../state/route.js'
import { Icon } from './icon.js'

/**
 * A list, and beside it a pane with the open item or, without one, something about all items. On narrow pages they do
 * not fit side by side, so a link above the list leads to the pane.
 */
export function Split({
  label,
  paneLabel,
  aside,
  rows = 1,
  list,
  children,
}: {
  readonly label: string
  readonly paneLabel: string
  /** The text of the link to the pane; undefined if the page shows the pane below the list. */
  readonly aside?: string
  /** The number of rows, which limits the height of a list above its pane. */
  readonly rows?: number
  readonly list: ComponentChildren
  /** The content of the pane. */
  readonly children: ComponentChildren
}) {
  const { view, id, query } = route.value
  const isPaneOpen = id !== undefined || query['pane'] !== undefined
  return (
    <div class={`split${isPaneOpen ? ' split-open' : ''}`}>
      <section class="split-list" aria-label={label} style={{ '--rows': Math.max(1, rows) }}>
        {aside !== undefined && (
          <a
            class={`to-overview line${id === undefined ? ' to-overview-shown' : ''}`}
            href={linkTo({ view, query: { ...query, pane: 'open' } })}
          >
            <Icon name="overview" /> {aside}
          </a>
        )}
        {list}
      </section>
      <section class="split-page" aria-label={paneLabel}>
        {children}
      </section>
    </div>
  )
}
