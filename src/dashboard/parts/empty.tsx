import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'

/** Stands where there is nothing yet, and says what to do next. */
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
