import { useRef } from 'preact/hooks'
import { type Mistake, offsetOf } from '../../model/mistakes.js'
import { Icon } from '../../parts/icon.js'

/** A text area with line numbers and marked mistakes. Tab moves the focus, as in other fields. */
export function Editor({
  text,
  mistakes,
  onChange,
  onApply,
}: {
  readonly text: string
  readonly mistakes: readonly Mistake[]
  readonly onChange: (text: string) => void
  readonly onApply: () => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLOListElement>(null)
  const wrong = new Map(mistakes.map(({ line, message }) => [line, message]))
  const showMistake = ({ line = 1, column = 1 }: Mistake) => {
    const offset = offsetOf(text, line, column)
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
  }
  return (
    <>
      <div class="editor">
        <ol ref={gutter} class="gutter" aria-hidden="true">
          {text.split('\n').map((_, index) => (
            <li key={index} class={wrong.has(index + 1) ? 'wrong' : ''} title={wrong.get(index + 1)}>
              {index + 1}
            </li>
          ))}
        </ol>
        <textarea
          ref={area}
          aria-label="Scenario in YAML"
          aria-invalid={mistakes.length > 0}
          aria-describedby={mistakes.length > 0 ? 'mistakes' : undefined}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (gutter.current !== null) gutter.current.scrollTop = currentTarget.scrollTop
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            onApply()
          }}
        />
      </div>
      {mistakes.length > 0 && (
        <div id="mistakes" class="mistakes" role="alert">
          <h3 class="state state-failed">
            <Icon name="failed" /> {countOf(mistakes.length)} The active scenario is unchanged.
          </h3>
          <ul>
            {mistakes.map((mistake, index) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => showMistake(mistake)}>
                  {mistake.line === undefined ? 'unknown position' : `${mistake.line}:${mistake.column ?? 1}`}
                </button>
                <span>
                  {mistake.path !== '' && <code>{mistake.path}</code>} {mistake.message}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function countOf(mistakes: number): string {
  return mistakes === 1 ? '1 mistake.' : `${mistakes} mistakes.`
}
