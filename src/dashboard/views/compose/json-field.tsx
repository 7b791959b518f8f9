import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type InputField, inputOf } from '../../model/compose/order.js'
import type { SchemaNode } from '../../model/editor/completions.js'
import { completeFrom } from '../../parts/code/complete.js'
import { CodeEditor } from '../../parts/code/editor.js'
import { jsonMistake } from '../../parts/code/json-mistake.js'

/** The input as JSON in an editor. */
export function JsonField({
  text,
  error,
  fields,
  onInput,
}: {
  readonly text: string
  readonly error: string | undefined
  readonly fields: readonly InputField[]
  readonly onInput: (text: string) => void
}) {
  const schema = useRef<SchemaNode>({})
  schema.current = schemaOf(fields)
  const complete = useRef(completeFrom(() => schema.current, 'json'))
  // A change of the form of the text, such as its indentation, would move the cursor.
  const own = useSignal(text)
  useEffect(() => {
    if (JSON.stringify(inputOf(own.peek())) !== JSON.stringify(inputOf(text))) own.value = text
  }, [text])
  const mistakes = useMemo(
    () => (error === undefined ? [] : [jsonMistake(own.value, error)]),
    [own.value, error],
  )
  return (
    <div class="field field-wide">
      <CodeEditor
        text={own.value}
        language="json"
        label="Input as JSON"
        mistakes={mistakes}
        onChange={(changed) => {
          own.value = changed
          onInput(changed)
        }}
        complete={complete.current}
      />
      {error !== undefined && (
        <p class="field-note field-error" role="status">
          {error}
        </p>
      )}
    </div>
  )
}

function schemaOf(fields: readonly InputField[]): SchemaNode {
  const properties = fields.map(({ name, type, values }): [string, SchemaNode] => [
    name,
    type === 'boolean' || type === 'number' ? { type } : { type: 'string', ...(values && { enum: values }) },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
