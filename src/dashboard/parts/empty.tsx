import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'

/** A placeholder for an empty view, with the next step. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  )
}
