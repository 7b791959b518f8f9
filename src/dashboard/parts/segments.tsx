/** A few choices side by side, one of which is pressed. */
export function Segments<Id extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly { readonly id: Id; readonly label: string; readonly title?: string }[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
}) {
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map(({ id, label, title }) => (
        <button
          key={id}
          type="button"
          title={title}
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
