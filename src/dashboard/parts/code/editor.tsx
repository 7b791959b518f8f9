import type { EditorView } from '@codemirror/view'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { PlacedMistake } from '../../model/json-flaw.js'
import { createEditor, type Language, markMistakes, setText } from './code-mirror.js'
import { complete, type Suggestions } from './complete.js'

export interface EditorProps extends Suggestions {
  readonly text: string
  readonly language: Language
  readonly label: string
  readonly mistakes: readonly PlacedMistake[]
  readonly onChange: (text: string) => void
  /** Is set to the view, to move its cursor. */
  readonly view?: RefObject<EditorView | null>
}

/** An editor of YAML, JSON or other text, with suggestions if there are any, and with mistakes at their places. */
export function CodeEditor({ text, language, label, mistakes, view, ...others }: EditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const own = useRef<EditorView>(null)
  const latest = useRef(others)
  latest.current = others
  useLayoutEffect(() => {
    if (host.current === null) return
    own.current = createEditor(
      host.current,
      { text, language, label },
      {
        onChange: (changed) => latest.current.onChange(changed),
        complete: (context) => complete(context, language === 'json', latest.current),
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
