import type { EditorView } from '@codemirror/view'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import {
  createEditor,
  type EditorActions,
  type Language,
  markMistakes,
  type PlacedMistake,
  setText,
} from './code-mirror.js'

/** An editor of YAML, JSON or other text, with suggestions if there are any, and with mistakes at their places. */
export function CodeEditor({
  text,
  language,
  label,
  mistakes,
  view,
  ...actions
}: {
  readonly text: string
  readonly language: Language
  readonly label: string
  readonly mistakes: readonly PlacedMistake[]
  /** Is set to the view, to move its cursor. */
  readonly view?: RefObject<EditorView | null>
} & Pick<EditorActions, 'onChange'> &
  Partial<EditorActions>) {
  const host = useRef<HTMLDivElement>(null)
  const own = useRef<EditorView>(null)
  const latest = useRef(actions)
  latest.current = actions
  useLayoutEffect(() => {
    if (host.current === null) return
    own.current = createEditor(
      host.current,
      { text, language, label },
      {
        onChange: (changed) => latest.current.onChange(changed),
        complete: latest.current.complete ?? (() => null),
      },
    )
    if (view !== undefined) view.current = own.current
    return () => own.current?.destroy()
  }, [])
  useLayoutEffect(() => {
    if (own.current !== null) setText(own.current, text)
  }, [text])
  useEffect(() => {
    if (own.current !== null) markMistakes(own.current, mistakes)
  }, [mistakes])
  return <div ref={host} class="code-view code-edit" data-editor />
}
