import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import '../styles/fields.css'
import { Choice, type ControlAttributes } from './choices.js'

/** A control with its label, a hint, and the reason why its value is not accepted. */
export function Field({
  label,
  hint,
  error,
  isWide = false,
  children,
}: {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly isWide?: boolean
  readonly children: (attributes: ControlAttributes) => ComponentChildren
}) {
  const id = useId()
  const hasNote = hint !== undefined || error !== undefined
  const attributes = {
    id,
    'aria-describedby': hasNote ? `${id}-note` : undefined,
    'aria-invalid': error !== undefined,
  }
  return (
    <div class={`field${isWide ? ' field-wide' : ''}`}>
      <label for={id}>{label}</label>
      {children(attributes)}
      {error !== undefined ? (
        <p id={`${id}-note`} class="field-note field-error" role="status">
          {error}
        </p>
      ) : (
        hasNote && (
          <p id={`${id}-note`} class="field-note">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** A text with a suggestion for each of some values. */
export function TextField({
  label,
  value,
  values = [],
  placeholder = '',
  hint,
  error,
  isSecret = false,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly values?: readonly string[]
  readonly placeholder?: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly isSecret?: boolean
  readonly onChange: (value: string) => void
}) {
  const list = useId()
  return (
    <Field label={label} hint={hint} error={error}>
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

/** One of several values. The empty value has the label `none`, if there is one. */
export function ChoiceField({
  label,
  value,
  choices,
  none,
  hint,
  error,
  onChange,
}: {
  readonly label: string
  readonly value: string
  /** The labels by value. */
  readonly choices: Readonly<Record<string, string>>
  readonly none?: string
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly onChange: (value: string) => void
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <Choice
          {...attributes}
          all={none}
          value={value}
          values={Object.keys(choices)}
          labelOf={(each) => choices[each] ?? each}
          onChoose={onChange}
        />
      )}
    </Field>
  )
}
