import { dayTime, stateLabel } from '../model/format.js'
import { today } from '../state/clock.js'
import { Icon, iconFor } from './icon.js'

/** A state as an icon with its label. */
export function StateBadge({
  state,
  isLarge = false,
}: {
  readonly state: string
  readonly isLarge?: boolean
}) {
  return (
    <span class={`state state-${state}${isLarge ? ' state-large' : ''}`}>
      <Icon name={iconFor(state)} />
      {stateLabel(state)}
    </span>
  )
}

/** A state as an icon; the label is for screen readers and the tooltip. */
export function StateMark({ state }: { readonly state: string }) {
  return (
    <span class={`state state-${state}`} title={stateLabel(state)}>
      <Icon name={iconFor(state)} />
      <span class="visually-hidden">{stateLabel(state)}</span>
    </span>
  )
}

/** A simulated time, with its date unless that is the current one. */
export function Instant({
  at,
  isExact = false,
  class: name,
}: {
  /** In ISO 8601 format. */
  readonly at: string
  /** Whether to show milliseconds. */
  readonly isExact?: boolean
  readonly class?: string
}) {
  return (
    <time class={name} dateTime={at}>
      {dayTime(Date.parse(at), today.value, isExact)}
    </time>
  )
}
