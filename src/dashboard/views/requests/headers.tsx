import { plural } from '../../model/format.js'

/** Headers by name, which the user can open. */
export function Headers({
  headers = {},
  isOpen,
}: {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether they are open at first: they are, if there is nothing else to see. */
  readonly isOpen: boolean
}) {
  const lines = Object.entries(headers)
  if (lines.length === 0) return <p class="hint">No headers are recorded.</p>
  return (
    <details open={isOpen}>
      <summary>{plural(lines.length, 'header')}</summary>
      <dl class="headers">
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
