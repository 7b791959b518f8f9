import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { indentAfter, offsetOf } from '../../model/editor/yaml-context.js'
import '../../styles/editor.css'
import { formsOf, type SchemaNode, schemasAt, typeText } from '../../model/editor/completions.js'
import { keyAt } from '../../model/editor/yaml-context.js'
import type { Step } from '../../model/editor/yaml-scanner.js'
import { plural } from '../../model/format.js'
import type { Mistake } from '../../model/scenario.js'
import { Icon } from '../../parts/icon.js'
import { scenarioSchema } from '../../state/fetched.js'
import { ACTIVE_ID, LIST_ID, ProposalList } from './proposal-list.js'
import { offsetUnder, typeInto } from './text-area.js'
import { useCompletion } from './use-completion.js'

/**
 * A text area with line numbers and marked mistakes, which completes and explains keys. Tab moves the focus, as in
 * other fields, unless there are suggestions.
 */
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
  const box = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLOListElement>(null)
  const cursor = useCursor(area)
  const hovered = useSignal<number | undefined>(undefined)
  const { list, close, accept, follow, leave, press, scroll } = useCompletion(area, { extends: shipped })
  useEffect(() => {
    if (cursor !== undefined) leave(cursor)
  }, [cursor])
  const showMistake = ({ line = 1, column = 1 }: Mistake) => {
    const offset = offsetOf(text, line, column)
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
  }
  const pressKey = (event: KeyboardEvent) => {
    if (event.isComposing || area.current === null) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onApply()
    else if (!press(event)) {
      if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
      const { selectionStart, selectionEnd } = area.current
      typeInto(area.current, selectionStart, selectionEnd, `\n${indentAfter(text, selectionStart)}`)
    }
    event.preventDefault()
  }
  return (
    <>
      <div ref={box} class="editor-box">
        <div class="editor">
          <Gutter list={gutter} lines={text.split('\n').length} mistakes={mistakes} />
          <textarea
            ref={area}
            aria-label="Scenario in YAML"
            aria-invalid={mistakes.length > 0}
            aria-describedby={mistakes.length > 0 ? 'mistakes key-help' : 'key-help'}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={list && LIST_ID}
            aria-activedescendant={list && ACTIVE_ID}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            wrap="off"
            value={text}
            onInput={(event) => {
              onChange(event.currentTarget.value)
              follow(event)
            }}
            onScroll={({ currentTarget }) => {
              if (gutter.current !== null) gutter.current.scrollTop = currentTarget.scrollTop
              scroll()
            }}
            onKeyDown={pressKey}
            onBlur={close}
            onMouseMove={(event) => {
              hovered.value = offsetUnder(event.currentTarget, event)
            }}
            onMouseLeave={() => {
              hovered.value = undefined
            }}
          />
        </div>
        {list !== undefined && (
          <ProposalList list={list} boxHeight={box.current?.clientHeight ?? 0} onAccept={accept} />
        )}
      </div>
      <KeyHelp text={text} position={hovered.value ?? cursor} />
      {mistakes.length > 0 && <Mistakes mistakes={mistakes} onShow={showMistake} />}
    </>
  )
}

/** The line numbers. A line with a mistake is marked. */
function Gutter({
  list,
  lines,
  mistakes,
}: {
  readonly list: { current: HTMLOListElement | null }
  readonly lines: number
  readonly mistakes: readonly Mistake[]
}) {
  const wrong = new Map(mistakes.map(({ line, message }) => [line, message]))
  return (
    <ol ref={list} class="gutter" aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <li key={index} class={wrong.has(index + 1) ? 'wrong' : ''} title={wrong.get(index + 1)}>
          {index + 1}
        </li>
      ))}
    </ol>
  )
}

/** The position of the cursor in a text area; undefined while another element has the focus. */
function useCursor(area: { readonly current: HTMLTextAreaElement | null }): number | undefined {
  const cursor = useSignal<number | undefined>(undefined)
  useEffect(() => {
    const read = () => {
      cursor.value = document.activeElement === area.current ? area.current?.selectionEnd : undefined
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [])
  return cursor.value
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
    <div id="mistakes" class="mistakes" role="alert">
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
  const known = scenarioSchema.value === undefined ? [] : schemasAt(scenarioSchema.value, path)
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
