import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { attempt } from '../state/notices.js'
import { Icon, type IconName } from './icon.js'

export interface ButtonProps {
  readonly icon?: IconName
  readonly children?: ComponentChildren
  /** Its name where it shows a drawing only; else what there is to add to the words that it shows. */
  readonly label?: string
  readonly look?: 'plain' | 'accent' | 'danger' | 'quiet'
  /** The key that does the same. */
  readonly shortcut?: string
  readonly isDisabled?: boolean
  readonly onPress: () => unknown
}

/** Does something when it is pressed; while that takes its time it cannot be pressed again. */
export function Button({
  icon,
  children,
  label,
  look = 'plain',
  shortcut,
  isDisabled = false,
  onPress,
}: ButtonProps) {
  const isBusy = useSignal(false)
  const press = async () => {
    if (isBusy.value) return
    isBusy.value = true
    await attempt(async () => onPress())
    isBusy.value = false
  }
  const hint = [label, shortcut && `(${shortcut})`].filter(Boolean).join(' ')
  return (
    <button
      type="button"
      class={`button button-${look}${children === undefined ? ' button-icon' : ''}`}
      disabled={isDisabled}
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
