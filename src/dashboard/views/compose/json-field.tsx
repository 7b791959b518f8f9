import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type InputField, inputOf } from '../../model/compose/order.js'
import type { SchemaNode } from '../../model/editor/completions.js'
import { completeFrom } from '../../parts/code/complete.js'
import { jsonMistake } from '../../parts/code/json-mistake.js'
import { EditorField } from '../editor-field.js'

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
  return (
    <EditorField
      label="Input as JSON"
      text={own.value}
      language="json"
      mistake={error === undefined ? undefined : jsonMistake(own.value, error)}
      onChange={(changed) => {
        own.value = changed
        onInput(changed)
      }}
      complete={complete.current}
    />
  )
}

function schemaOf(fields: readonly InputField[]): SchemaNode {
  const properties = fields.map(({ name, type, values }): [string, SchemaNode] => [
    name,
    type === 'boolean' || type === 'number' ? { type } : { type: 'string', ...(values && { enum: values }) },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
