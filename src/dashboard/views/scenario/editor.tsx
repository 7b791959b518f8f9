import type { EditorView } from '@codemirror/view'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formsOf, type SchemaNode, schemasAt, typeText } from '../../model/editor/completions.js'
import { keyAt, type Step } from '../../model/editor/yaml-context.js'
import { plural } from '../../model/format.js'
import type { Mistake } from '../../model/scenario.js'
import { offsetAt } from '../../parts/code/code-mirror.js'
import { completeFrom } from '../../parts/code/complete.js'
import { CodeEditor } from '../../parts/code/editor.js'
import { setter } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { scenarioSchema } from '../../state/fetched.js'

/** The editor of a scenario, which completes and explains keys. */
export function Editor({
  text,
  mistakes,
  shipped,
  onChange,
  onApply,
}: {
  readonly text: string
  readonly mistakes: readonly Mistake[]
  /** The names of the shipped scenarios. */
  readonly shipped: readonly string[]
  readonly onChange: (text: string) => void
  readonly onApply: () => void
}) {
  const view = useRef<EditorView>(null)
  const pointed = useSignal<number | undefined>(undefined)
  const names = useRef(shipped)
  names.current = shipped
  const complete = useRef(
    completeFrom(
      () => scenarioSchema.value.peek(),
      'yaml',
      () => ({ extends: names.current }),
    ),
  )
  useEffect(scenarioSchema.want, [])
  const showMistake = ({ line = 1, column = 1 }: Mistake) => {
    if (view.current === null) return
    view.current.dispatch({
      selection: { anchor: offsetAt(view.current, line, column) },
      scrollIntoView: true,
    })
    view.current.focus()
  }
  return (
    <>
      <CodeEditor
        text={text}
        language="yaml"
        label="Scenario in YAML"
        mistakes={mistakes}
        view={view}
        onChange={onChange}
        onPoint={setter(pointed)}
        onRun={() => {
          onApply()
          return true
        }}
        complete={complete.current}
      />
      <KeyHelp text={text} position={pointed.value} />
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} onShow={showMistake} />}
    </>
  )
}

/** The mistakes of a scenario, with links to their lines. */
function Mistakes({
  mistakes,
  onShow,
}: {
  readonly mistakes: readonly Mistake[]
  readonly onShow: (mistake: Mistake) => void
}) {
  return (
    <div id="mistakes" class="mistakes box" role="alert">
      <h3 class="state state-failed">
        <Icon name="failed" /> {plural(mistakes.length, 'mistake')}. The active scenario is unchanged.
      </h3>
      <ul>
        {mistakes.map((mistake, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => onShow(mistake)}>
              {mistake.line === undefined ? 'unknown position' : `${mistake.line}:${mistake.column ?? 1}`}
            </button>
            <span>
              {mistake.path !== '' && <code>{mistake.path}</code>} {mistake.message}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Explains the key at a position of a scenario or, if there is none, the keys of the editor. */
function KeyHelp({ text, position }: { readonly text: string; readonly position: number | undefined }) {
  const path = position === undefined ? [] : keyAt(text, position)
  const schema = scenarioSchema.value.value
  const known = schema === undefined ? [] : schemasAt(schema, path)
  const [key] = path.length === 0 ? [] : known
  return (
    <div class="key-help" id="key-help">
      {key === undefined ? (
        <p class="muted">
          <kbd>Ctrl Space</kbd> suggests keys and values. <kbd>Escape</kbd>, then <kbd>Tab</kbd> leaves the
          editor.
        </p>
      ) : (
        <>
          <p>
            <code>{pathText(path)}</code> <span class="muted">{typeText(key)}</span>
            {key.default !== undefined && (
              <span class="muted">
                {' '}
                · default <code>{valueText(key.default)}</code>
              </span>
            )}
            <Example schema={key} />
          </p>
          <p>{key.description ?? known.find(({ description }) => description !== undefined)?.description}</p>
        </>
      )}
    </div>
  )
}

function Example({ schema }: { readonly schema: SchemaNode }) {
  const [example] = schema.examples ?? formsOf(schema).flatMap(({ examples = [] }) => examples)
  if (example === undefined) return null
  return (
    <span class="muted">
      {' '}
      · such as <code>{valueText(example)}</code>
    </span>
  )
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pathText(path: readonly Step[]): string {
  return path.reduce<string>(
    (text, step) => (step === 0 ? `${text}[]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}
