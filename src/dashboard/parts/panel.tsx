import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'
import { placePopover } from './place-popover.js'

/** A button that opens a small form below it. Escape and a click elsewhere close it. */
export function Panel({
  icon,
  label,
  text,
  name = '',
  panelName = '',
  isDisabled = false,
  open = useSignal(false),
  children,
}: {
  readonly icon?: IconName
  /** The accessible name of the panel, and the tooltip of its button. */
  readonly label: string
  /** The text of the button. */
  readonly text: string
  /** Further classes of the button and of the panel. */
  readonly name?: string
  readonly panelName?: string
  readonly isDisabled?: boolean
  /** Whether the panel is open. */
  readonly open?: Signal<boolean>
  /** Renders the content while the panel is open. */
  readonly children: (close: () => void) => ComponentChildren
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    panel.current?.hidePopover()
    button.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${name}`}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        aria-disabled={isDisabled}
        {...(!isDisabled && { popovertarget: id })}
      >
        {icon !== undefined && <Icon name={icon} />}
        <span class="one-line">{text}</span>
        <Icon name="down" />
      </button>
      <div
        ref={panel}
        id={id}
        class={`panel ${panelName}`}
        role="dialog"
        aria-label={label}
        popover="auto"
        onBeforeToggle={({ newState }) => {
          open.value = newState === 'open'
          if (open.value) placePopover(button.current, panel.current)
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') firstControl(panel.current)?.focus({ preventScroll: true })
        }}
        onKeyDown={(event) => {
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

function firstControl(panel: HTMLElement | null): HTMLElement | null | undefined {
  return panel?.querySelector<HTMLElement>('[data-first], button, input')
}
