import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'

/**
 * A button that opens a small form or a menu beside it. Escape and a click elsewhere close it. The stylesheet places it,
 * and the browser returns the focus to where it was.
 */
export function Panel({
  kind = 'dialog',
  icon,
  label,
  text,
  name = '',
  panelName = 'panel',
  isDisabled = false,
  open = useSignal(false),
  onKey,
  children,
}: {
  readonly kind?: 'dialog' | 'menu'
  readonly icon?: IconName
  /** The accessible name of the panel, and the tooltip of its button. */
  readonly label: string
  /** The text of the button. */
  readonly text: ComponentChildren
  /** Classes of the button and of the panel. */
  readonly name?: string
  readonly panelName?: string
  readonly isDisabled?: boolean
  /** Whether the panel is open. */
  readonly open?: Signal<boolean>
  /** Handles a key in the open panel. */
  readonly onKey?: (event: TargetedKeyboardEvent<HTMLElement>, close: () => void) => void
  /** Renders the content while the panel is open. */
  readonly children: (close: () => void) => ComponentChildren
}) {
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const close = () => panel.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        class={`button ${name}`}
        title={label}
        {...(kind === 'menu' && { 'aria-label': label })}
        aria-haspopup={kind}
        aria-expanded={open.value}
        aria-disabled={isDisabled}
        {...(!isDisabled && { popovertarget: id })}
        onKeyDown={(event) => {
          if (kind !== 'menu' || event.key !== 'ArrowDown') return
          event.preventDefault()
          event.currentTarget.click()
        }}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span class="one-line">{text}</span>
        <Icon name="down" />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has a role */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a role */}
      <div
        ref={panel}
        id={id}
        class={panelName}
        role={kind}
        aria-label={label}
        popover="auto"
        onBeforeToggle={({ newState }) => {
          open.value = newState === 'open'
        }}
        onToggle={({ newState }) => {
          if (newState === 'open')
            panel.current?.querySelector<HTMLElement>('a, button, input')?.focus({ preventScroll: true })
        }}
        onKeyDown={(event) => {
          onKey?.(event, close)
          if (event.key !== 'Escape') return
          event.preventDefault()
          close()
        }}
      >
        {open.value && children(close)}
      </div>
    </>
  )
}
