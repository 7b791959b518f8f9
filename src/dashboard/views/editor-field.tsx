import { useMemo } from 'preact/hooks'
import type { EditorActions, Language, PlacedMistake } from '../parts/code/code-mirror.js'
import { CodeEditor } from '../parts/code/editor.js'
import { jsonMistake } from '../parts/code/json-mistake.js'
import { runAction } from '../state/notifications.js'

interface FieldActions {
  readonly onChange: (text: string) => void
  /** Called with Ctrl Enter. */
  readonly onRun?: () => unknown
}

/** An editor with its label above it, and its mistake or a hint below it. */
export function EditorField({
  label,
  text,
  language,
  hint,
  mistake,
  onChange,
  onRun,
  complete,
}: {
  readonly label: string
  readonly text: string
  readonly language: Language
  readonly hint?: string | undefined
  readonly mistake: PlacedMistake | undefined
} & FieldActions &
  Partial<Pick<EditorActions, 'complete'>>) {
  const mistakes = useMemo(() => (mistake === undefined ? [] : [mistake]), [mistake?.message, mistake?.line])
  return (
    <div class="field field-wide">
      <span class="field-label" aria-hidden="true">
        {label}
      </span>
      <CodeEditor
        text={text}
        language={language}
        label={label}
        mistakes={mistakes}
        onChange={onChange}
        onRun={() => {
          if (onRun !== undefined) void runAction(async () => onRun())
          return onRun !== undefined
        }}
        {...(complete && { complete })}
      />
      {mistake !== undefined ? (
        <p class="field-note field-error" role="status">
          {mistake.message}
        </p>
      ) : (
        hint !== undefined && <p class="field-note">{hint}</p>
      )}
    </div>
  )
}

/** An editor of a body, which marks what is not JSON; that can be sent nevertheless. */
export function BodyEditor({
  text,
  isJson,
  hint,
  ...actions
}: {
  readonly text: string
  /** Whether the body was JSON at first. */
  readonly isJson: boolean
  readonly hint?: string | undefined
} & FieldActions) {
  const flaw = isJson ? flawOf(text) : undefined
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
      {...actions}
    />
  )
}

function flawOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
