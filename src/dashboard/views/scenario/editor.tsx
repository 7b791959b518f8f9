import type { EditorView } from '@codemirror/view'
import { useEffect, useRef } from 'preact/hooks'
import { counted } from '../../../engine/counted.js'
import type { Mistake } from '../../model/scenario.js'
import { offsetAt } from '../../parts/code/code-mirror.js'
import { CodeEditor } from '../../parts/code/editor.js'
import { Icon } from '../../parts/icon.js'
import { scenarioSchema } from '../../state/fetched.js'
import { editedText, editScenario, mistakes, scenario } from '../../state/scenario.js'

/** The editor of the scenario, which suggests and explains keys. */
export function Editor() {
  const view = useRef<EditorView>(null)
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
        text={editedText.value}
        language="yaml"
        label="Scenario in YAML"
        mistakes={mistakes.value}
        view={view}
        onChange={(text) => editScenario({ text })}
        schema={scenarioSchema.value.value}
        names={{ extends: scenario.value?.shipped ?? [] }}
      />
      <p class="muted small">
        <kbd>Ctrl Space</kbd> suggests keys and values. <kbd>Escape</kbd>, then <kbd>Tab</kbd> leaves the
        editor.
      </p>
      {mistakes.value.length > 0 && <Mistakes onShow={showMistake} />}
    </>
  )
}

/** The mistakes of a scenario, with links to their lines. */
function Mistakes({ onShow }: { readonly onShow: (mistake: Mistake) => void }) {
  return (
    <div id="mistakes" class="mistakes box" role="alert">
      <h3 class="state state-failed">
        <Icon name="failed" /> {counted(mistakes.value.length, 'mistake')}. The active scenario is unchanged.
      </h3>
      <ul>
        {mistakes.value.map((mistake, index) => (
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
