import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { beginningOf, bodyText, lengthOf } from '../../model/body-text.js'
import { bytes } from '../../model/format.js'
import { Button } from '../button.js'
import { setTo } from '../hooks.js'
import { createViewer } from './code-mirror.js'

/** A body opens with so many characters. */
const SHOWN = 50_000

/** A body to read: JSON with colors, folding and search; other text as it is. */
export function Viewer({ body, label }: { readonly body: unknown; readonly label: string }) {
  const isWhole = useSignal(false)
  const longest = isWhole.value ? Infinity : SHOWN
  const { text, isJson } = useMemo(() => bodyText(body, longest), [body, longest])
  const size = useMemo(() => lengthOf(body), [body])
  const shown = beginningOf(text, longest)
  // The parser takes long to recover from a string that is cut off.
  const isColored = isJson && (shown === text || text[shown.length] === '\n')
  return (
    <>
      <View key={isColored} text={shown} isJson={isColored} label={label} />
      {shown.length < text.length && (
        <Button icon="down" onPress={setTo(isWhole, true)}>
          Show all ({bytes(size)})
        </Button>
      )}
    </>
  )
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
