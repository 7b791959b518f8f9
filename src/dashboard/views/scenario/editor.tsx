import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { plural } from '../../model/format.js'
import type { Mistake } from '../../model/scenario.js'
import { offsetAt } from '../../parts/code/code-mirror.js'
import { completeFrom } from '../../parts/code/complete.js'
import { CodeEditor } from '../../parts/code/editor.js'
import { Icon } from '../../parts/icon.js'
import { scenarioSchema } from '../../state/fetched.js'

/** The editor of a scenario, which suggests and explains keys. */
export function Editor({
  text,
  mistakes,
  shipped,
  onChange,
}: {
  readonly text: string
  readonly mistakes: readonly Mistake[]
  /** The names of the shipped scenarios. */
  readonly shipped: readonly string[]
  readonly onChange: (text: string) => void
}) {
  const view = useRef<EditorView>(null)
  const names = useRef(shipped)
  names.current = shipped
  const complete = useRef(
    completeFrom(
      () => scenarioSchema.value.peek(),
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
        complete={complete.current}
      />
      <p class="muted small">
        <kbd>Ctrl Space</kbd> suggests keys and values. <kbd>Escape</kbd>, then <kbd>Tab</kbd> leaves the
        editor.
      </p>
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
