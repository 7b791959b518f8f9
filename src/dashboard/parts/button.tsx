import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { runAction } from '../state/notifications.js'
import { isDialogOpen } from './hooks.js'
import { Icon, type IconName } from './icon.js'

export interface ButtonProps {
  readonly icon?: IconName
  readonly children?: ComponentChildren
  /** The accessible name of an icon button, or the tooltip of a button with text. */
  readonly label?: string
  readonly variant?: 'plain' | 'accent' | 'danger' | 'quiet'
  /** The key for the same action, shown in the tooltip. */
  readonly shortcut?: string
  readonly isDisabled?: boolean
  readonly onPress: () => unknown
}

/** A button that ignores clicks while its action is running. It keeps the focus while it is disabled. */
export function Button({
  icon,
  children,
  label,
  variant = 'plain',
  shortcut,
  isDisabled = false,
  onPress,
}: ButtonProps) {
  const isBusy = useSignal(false)
  const press = async () => {
    if (isBusy.value || isDisabled) return
    isBusy.value = true
    await runAction(async () => onPress())
    isBusy.value = false
  }
  const hint = [label, shortcut && `(${shortcut})`].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      class={`button button-${variant}${children === undefined ? ' button-icon' : ''}`}
      aria-disabled={isDisabled}
      aria-busy={isBusy.value}
      {...(hint !== '' && { title: hint })}
      {...(children === undefined && { 'aria-label': label })}
      onClick={press}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

/** The main button of a view. Ctrl Enter, or Command Enter, does the same, even while the button is disabled. */
export function MainButton(props: Omit<ButtonProps, 'variant' | 'shortcut'>) {
  const latest = useRef(props.onPress)
  latest.current = props.onPress
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isDialogOpen()) return
      event.preventDefault()
      void runAction(async () => latest.current())
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return <Button variant="accent" shortcut="Ctrl Enter" {...props} />
}

/** A link that looks like a button. */
export function LinkButton({
  icon,
  href,
  label,
  children,
}: {
  readonly icon: IconName
  readonly href: string
  /** The tooltip. */
  readonly label?: string
  readonly children: ComponentChildren
}) {
  return (
    <a class="button button-plain" href={href} {...(label !== undefined && { title: label })}>
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  )
}
