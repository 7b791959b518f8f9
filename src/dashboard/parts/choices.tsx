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
