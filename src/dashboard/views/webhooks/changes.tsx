import { plural } from '../../model/format.js'
import type { LineChange, MessageChange } from '../../model/webhooks/attempt-changes.js'

/** What differs between two requests: headers and lines of the body. */
export function Changes({
  title,
  change: { headers, body },
}: {
  readonly title: string
  readonly change: MessageChange
}) {
  if (headers.length === 0 && body === undefined)
    return <p class="muted">{title}: the same headers and the same body.</p>
  return (
    <section class="changes" aria-label={title}>
      <h4>{title}</h4>
      <dl>
        {headers.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before !== undefined && <del>{before === '' ? '(empty)' : before}</del>}
              {after !== undefined && <ins>{after === '' ? '(empty)' : after}</ins>}
            </dd>
          </div>
        ))}
        {body !== undefined && (
          <div>
            <dt>body</dt>
            <dd>
              <Lines change={body} />
            </dd>
          </div>
        )}
      </dl>
      {body === undefined && <p class="muted">The same body.</p>}
    </section>
  )
}

/** More lines would hide the attempts below. */
const MAX_LINES = 12

function Lines({ change: { above, removed, added, below } }: { readonly change: LineChange }) {
  return (
    <>
      {above > 0 && <small>{plural(above, 'line')} above are the same</small>}
      {removed.slice(0, MAX_LINES).map((line, index) => (
        <del key={`${index} ${line}`}>{line}</del>
      ))}
      {removed.length > MAX_LINES && (
        <small>{removed.length - MAX_LINES} more lines without the change</small>
      )}
      {added.slice(0, MAX_LINES).map((line, index) => (
        <ins key={`${index} ${line}`}>{line}</ins>
      ))}
      {added.length > MAX_LINES && <small>{added.length - MAX_LINES} more changed lines</small>}
      {below > 0 && <small>{plural(below, 'line')} below are the same</small>}
    </>
  )
}
