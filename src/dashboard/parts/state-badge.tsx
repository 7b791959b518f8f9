import { Icon, iconFor } from './icon.js'

/** A state as a shape, a colour and a word. */
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
      {state.replace('_', ' ')}
    </span>
  )
}

/** The same where there is room for the shape only; who hears the page gets the word. */
export function StateMark({ state }: { readonly state: string }) {
  return (
    <span class={`state state-${state}`} title={state.replace('_', ' ')}>
      <Icon name={iconFor(state)} />
      <span class="unseen">{state.replace('_', ' ')}</span>
    </span>
  )
}
