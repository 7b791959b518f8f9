import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import '../styles/fields.css'
import { Choice, type ChoiceProps, type ControlAttributes } from './choices.js'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  /** Why the value is not accepted. */
  readonly error?: string | undefined
}

/** A control with its label and a note. */
export function Field({
  label,
  hint,
  error,
  isWide = false,
  children,
}: FieldProps & {
  readonly isWide?: boolean
  readonly children: (attributes: ControlAttributes) => ComponentChildren
}) {
  const id = useId()
  const attributes = {
    id,
    'aria-describedby': hint === undefined && error === undefined ? undefined : `${id}-note`,
    'aria-invalid': error !== undefined,
  }
  return (
    <div class={`field${isWide ? ' field-wide' : ''}`}>
      <label for={id}>{label}</label>
      {children(attributes)}
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  )
}

/** What is wrong with the value of a field or, if nothing is, a hint. */
export function FieldNote({ id, hint, error }: Omit<FieldProps, 'label'> & { readonly id?: string }) {
  if (error !== undefined)
    return (
      <p id={id} class="field-note field-error" role="status">
        {error}
      </p>
    )
  return hint === undefined ? null : (
    <p id={id} class="field-note">
      {hint}
    </p>
  )
}

/** A text with a suggestion for each of some values. */
export function TextField({
  value,
  values = [],
  placeholder = '',
  isSecret = false,
  onChange,
  ...field
}: FieldProps & {
  readonly value: string
  readonly values?: readonly string[]
  readonly placeholder?: string
  readonly isSecret?: boolean
  readonly onChange: (value: string) => void
}) {
  const list = useId()
  return (
    <Field {...field}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            {...(isSecret ? { type: 'password' } : { type: 'text', ...(values.length > 0 && { list }) })}
            value={value}
            placeholder={placeholder}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {values.length > 0 && (
            <datalist id={list}>
              {values.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}

/** One of several values. */
export function ChoiceField({ label, hint, error, ...choice }: FieldProps & ChoiceProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <Choice {...attributes} {...choice} />}
    </Field>
  )
}
