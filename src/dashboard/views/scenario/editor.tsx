import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { indentAfter } from '../../model/editor/indentation.js'
import { type Mistake, offsetOf } from '../../model/editor/mistakes.js'
import '../../styles/editor.css'
import { KeyHelp } from './key-help.js'
import { Mistakes } from './mistakes.js'
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
