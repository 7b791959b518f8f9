/** One of a few values; the empty one stands for all of them. */
export function Choice({
  label,
  all,
  value,
  values,
  onChoose,
}: {
  readonly label: string
  readonly all?: string
  readonly value: string
  readonly values: readonly string[]
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
          {each}
        </option>
      ))}
    </select>
  )
}
