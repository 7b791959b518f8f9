import { count } from '../model/format.js'
import { Icon, type IconName } from './icon.js'

/** A value of a filter, with the number of items that have it. */
export interface Chip {
  readonly value: string
  readonly label: string
  readonly icon: IconName
  /** The class with its color. */
  readonly look: string
  readonly count: number | undefined
}

/** The values of a filter as buttons. The chosen one is pressed; pressing it again chooses all. */
export function Chips({
  label,
  chips,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly chips: readonly Chip[]
  /** Empty if all are chosen. */
  readonly chosen: string
  readonly onChoose: (value: string) => void
}) {
  return (
    <fieldset class="chips" aria-label={label}>
      {chips.map(({ value, label, icon, look, count: items = 0 }) => (
        <button
          key={value}
          type="button"
          class={`chip ${look}`}
          aria-pressed={chosen === value}
          onClick={() => onChoose(chosen === value ? '' : value)}
        >
          <Icon name={icon} />
          <b>{count(items)}</b>
          <span>{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
