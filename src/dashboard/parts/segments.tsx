import { useId } from 'preact/hooks'

/** A few choices side by side, one of which is chosen. */
export function Segments<Id extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly {
    readonly id: Id
    readonly label: string
    readonly title?: string
    readonly isDisabled?: boolean
  }[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
}) {
  const name = useId()
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map(({ id, label, title, isDisabled = false }) => (
        <label key={id} title={title}>
          <input
            type="radio"
            name={name}
            checked={id === chosen}
            disabled={isDisabled}
            onChange={() => onChoose(id)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
