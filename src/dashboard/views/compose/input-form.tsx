import { useSignal } from '@preact/signals'
import type { WrittenRequestShape } from '../../../control/shapes.js'
import {
  fieldText,
  furtherFields,
  type InputField,
  inputFlaw,
  inputOf,
  schemaOf,
  withField,
} from '../../model/compose/order.js'
import { jsonMistake } from '../../model/json-flaw.js'
import { Card } from '../../parts/blocks.js'
import { ChoiceField, Field, TextField } from '../../parts/field.js'
import { setter } from '../../parts/hooks.js'
import { lazy } from '../../parts/lazy.js'
import { Segments } from '../../parts/segments.js'
import { changeOrder, order } from '../../state/order.js'

const EditorField = lazy('The editor', async () => (await import('../editor-field.js')).EditorField)

/** The input of the task as a form and as JSON. */
export function InputForm({ written }: { readonly written: WrittenRequestShape }) {
  const shown = useSignal<'form' | 'json'>('form')
  const text = order.value['input'] ?? JSON.stringify(written.input, null, 2)
  const flaw = inputFlaw(text)
  const message = flaw ?? written.problem?.message
  const form = flaw === undefined ? shown.value : 'json'
  return (
    <Card title="Input">
      <Segments
        label="Form of the input"
        choices={[
          { id: 'form', label: 'Form', isDisabled: flaw !== undefined },
          { id: 'json', label: 'JSON' },
        ]}
        chosen={form}
        onChoose={setter(shown)}
      />
      {form === 'form' ? (
        <Fields written={{ ...written, input: inputOf(text) ?? {} }} />
      ) : (
        <EditorField
          label="Input as JSON"
          text={text}
          language="json"
          mistake={message === undefined ? undefined : jsonMistake(text, message)}
          onChange={changeInput}
          schema={schemaOf(written.fields)}
        />
      )}
      <Omitted written={written} />
    </Card>
  )
}

/** @param text the input as JSON, which may not be valid yet */
function changeInput(text: string): void {
  changeOrder({ input: text })
}

function Fields({ written }: { readonly written: WrittenRequestShape }) {
  const { input, fields, problem } = written
  const further = furtherFields(written)
  const [first, ...others] = fields
  const isShown = fields.some(({ name }) => name === problem?.field)
  const line = (field: InputField) => (
    <InputControl
      key={field.name}
      field={field}
      value={fieldText(input, field.name)}
      error={problem?.field === field.name ? shortMessage(problem.message) : undefined}
      onChange={(value) => changeInput(JSON.stringify(withField(input, field, value), null, 2))}
    />
  )
  return (
    <div class="fields">
      {first !== undefined && line(first)}
      {others.map(line)}
      {further.length > 0 && (
        <p class="field-note field-wide">
          Only in the JSON: <code>{further.join(', ')}</code>
        </p>
      )}
      {problem !== undefined && !isShown && (
        <p class="field-note field-error field-wide" role="status">
          {problem.message}
        </p>
      )}
    </div>
  )
}

/** The message next to a field does not have to name it. */
function shortMessage(message: string): string {
  return message.replace(/^The field `[^`]+` must/, 'Must')
}

function InputControl({
  field: { name, type, values = [], min, max, example },
  value,
  error,
  onChange,
}: {
  readonly field: InputField
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}) {
  const common = { label: name === 'messages' ? 'message' : name, value, error, onChange }
  if (name === 'prompt' || name === 'messages')
    return (
      <Field label={common.label} error={error} isWide>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            value={value}
            placeholder={example}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
    )
  if (type === 'choice' || type === 'boolean')
    return <ChoiceField {...common} values={type === 'boolean' ? ['true', 'false'] : values} all="default" />
  const range = min === undefined ? example : `${min} to ${max}`
  return <TextField {...common} placeholder={range === undefined ? 'default' : `default (${range})`} />
}

function Omitted({ written: { omitted, dialect } }: { readonly written: WrittenRequestShape }) {
  if (omitted.length === 0) return null
  return (
    <p class="field-note" role="status">
      Not in the format of {dialect}, so not sent: <code>{omitted.join(', ')}</code>
    </p>
  )
}
