/** The attributes that connect a control with its label and its notes. */
export interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

/** A select box. If `all` is set, the empty value has this label. */
export function Choice({
  label,
  all,
  value,
  values,
  labelOf = (each) => each,
  onChoose,
  ...attributes
}: {
  /** The accessible name, if no label is beside it. */
  readonly label?: string
  readonly all?: string | undefined
  readonly value: string
  readonly values: readonly string[]
  readonly labelOf?: (value: string) => string
  readonly onChoose: (value: string) => void
} & Partial<ControlAttributes>) {
  // A link may choose a value that nothing known has.
  const shown = value === '' || values.includes(value) ? values : [...values, value]
  return (
    <select
      {...attributes}
      class="choice"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {shown.map((each) => (
        <option key={each} value={each}>
          {labelOf(each)}
        </option>
      ))}
    </select>
  )
}
