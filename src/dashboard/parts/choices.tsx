import { count, shortCount } from '../model/format.js'
import { Icon, type IconName } from './icon.js'

/** A select box. If `all` is set, the empty value has this label. */
export function Choice({
  label,
  all,
  value,
  values,
  labelOf = (each) => each,
  onChoose,
}: {
  readonly label: string
  readonly all?: string
  readonly value: string
  readonly values: readonly string[]
  readonly labelOf?: (value: string) => string
  readonly onChoose: (value: string) => void
}) {
  return (
    <select
      class="choice"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {values.map((each) => (
        <option key={each} value={each}>
          {labelOf(each)}
        </option>
      ))}
    </select>
  )
}

/** A value of a filter, with the number of items that have it. */
interface Chip {
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
          <b title={count(items)}>{shortCount(items)}</b>
          <span>{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
