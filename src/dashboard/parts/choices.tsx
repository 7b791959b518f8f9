/** The attributes that connect a control with its label and its notes. */
export interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

export interface ChoiceProps {
  /** The label of the empty value, if it can be chosen. */
  readonly all?: string | undefined
  readonly value: string
  readonly values: readonly string[]
  /** By value; another value is its own label. */
  readonly labels?: Readonly<Record<string, string>>
  readonly onChange: (value: string) => void
}

/** A select box. `label` is its accessible name, if no label is beside it. */
export function Choice({
  label,
  all,
  value,
  values,
  labels = {},
  onChange,
  ...attributes
}: ChoiceProps & Partial<ControlAttributes> & { readonly label?: string }) {
  // A link may choose a value that nothing known has.
  const shown = value === '' || values.includes(value) ? values : [...values, value]
  return (
    <select
      {...attributes}
      class="choice"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {shown.map((each) => (
        <option key={each} value={each}>
          {labels[each] ?? each}
        </option>
      ))}
    </select>
  )
}
