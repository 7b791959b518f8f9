import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { bytes } from '../../model/format.js'
import { Button } from '../button.js'
import { setTo } from '../hooks.js'
import { type BodyText, beginningOf } from './body-text.js'
import { createViewer } from './code-mirror.js'
import { formatBody } from './format-body.js'

/** A body opens with so many characters. */
const SHOWN = 50_000

/** A body to read: JSON with colors, folding and search; other text as it is. */
export function Viewer({ body, label }: { readonly body: unknown; readonly label: string }) {
  const isWhole = useSignal(false)
  const found = useFormatted(body)
  if (found === undefined) return <p class="hint">Formatting…</p>
  const { text, isJson } = found
  const shown = isWhole.value ? text : beginningOf(text, SHOWN)
  // The parser takes long to recover from a string that is cut off.
  const isColored = isJson && (shown === text || text[shown.length] === '\n')
  return (
    <>
      <View key={isColored} text={shown} isJson={isColored} label={label} />
      {shown.length < text.length && (
        <Button icon="down" onPress={setTo(isWhole, true)}>
          Show all ({bytes(text.length)})
        </Button>
      )}
    </>
  )
}

function useFormatted(body: unknown): BodyText | undefined {
  const result = useMemo(() => formatBody(body), [body])
  const late = useSignal<{ readonly of: unknown; readonly found: BodyText } | undefined>(undefined)
  useEffect(() => {
    if (result instanceof Promise)
      void result.then((found) => {
        late.value = { of: result, found }
      })
  }, [result])
  if (!(result instanceof Promise)) return result
  // The body before stays until the next one is formatted.
  return late.value?.found
}

function View({
  text,
  isJson,
  label,
}: {
  readonly text: string
  readonly isJson: boolean
  readonly label: string
}) {
  const host = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (host.current === null) return
    const view = createViewer(host.current, { text, language: isJson ? 'json' : 'text', label })
    return () => view.destroy()
  }, [text])
  return <div ref={host} class="code-view" />
}
