import { useMemo } from 'preact/hooks'
import { jsonFlaw, jsonMistake, type PlacedMistake } from '../model/json-flaw.js'
import { CodeEditor, type EditorProps } from '../parts/code/editor.js'
import { FieldNote } from '../parts/field.js'

/** An editor with its label above it, and its mistake or a hint below it. */
export function EditorField({
  hint,
  mistake,
  ...editor
}: Omit<EditorProps, 'mistakes'> & {
  readonly hint?: string | undefined
  readonly mistake: PlacedMistake | undefined
}) {
  const mistakes = useMemo(() => (mistake === undefined ? [] : [mistake]), [mistake?.message, mistake?.line])
  return (
    <div class="field field-wide">
      <span class="field-label" aria-hidden="true">
        {editor.label}
      </span>
      <CodeEditor {...editor} mistakes={mistakes} />
      <FieldNote hint={hint} error={mistake?.message} />
    </div>
  )
}

/** An editor of a body, which marks what is not JSON; that can be sent nevertheless. */
export function BodyEditor({
  text,
  isJson,
  hint,
  onChange,
}: {
  readonly text: string
  /** Whether the body was JSON at first. */
  readonly isJson: boolean
  readonly hint?: string | undefined
  readonly onChange: (text: string) => void
}) {
  const flaw = isJson ? jsonFlaw(text) : undefined
  return (
    <EditorField
      label="Body"
      text={text}
      language={isJson ? 'json' : 'text'}
      hint={hint}
      mistake={
        flaw === undefined
          ? undefined
          : jsonMistake(text, `This is not valid JSON, and is sent as it is: ${flaw}`)
      }
      onChange={onChange}
    />
  )
}
