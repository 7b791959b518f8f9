import { counted } from '../../engine/counted.js'
import { Definitions } from './blocks.js'
import { Body } from './code/body.js'

/** A body, or why there is none, and the headers, which are open at first if there is nothing else to see. */
export function Message({
  body,
  headers = {},
  label,
  children,
}: {
  readonly body: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The name of the body. */
  readonly label: string
  /** Why there is no body. */
  readonly children: string
}) {
  const lines = Object.entries(headers)
  return (
    <>
      {body ? <Body body={body} label={label} /> : <p class="hint">{children}</p>}
      {lines.length === 0 ? (
        <p class="hint">No headers are recorded.</p>
      ) : (
        <details open={!body}>
          <summary>{counted(lines.length, 'header')}</summary>
          <Definitions name="headers stack" items={lines} />
        </details>
      )}
    </>
  )
}
