import type { FindingShape } from '../../../control/shapes.js'
import { clockTime } from '../../model/format.js'
import { Empty } from '../../parts/empty.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { linkTo } from '../../state/route.js'
import { findings, simulator } from '../../state/session.js'

const SEVERITIES = [
  ['error', 'Errors', 'cost money or lose results'],
  ['warning', 'Warnings', 'are risks in production'],
  ['note', 'Notes', 'are advice'],
] as const
const MAX_SHOWN = 20

/** The mistakes of the client under test, with evidence. */
export function FindingsView() {
  const found = findings.value
  if (found === undefined) return <p class="hint">Loading…</p>
  if (found.length === 0) return <NoFindings />
  return (
    <div class="findings">
      {SEVERITIES.map(([severity, title, meaning]) => {
        const group = found.filter((finding) => finding.severity === severity)
        if (group.length === 0) return null
        return (
          <section key={severity}>
            <h2 class={`severity severity-${severity}`}>
              <Icon name={iconFor(severity)} /> {title} <small>{meaning}</small>
            </h2>
            {group.map((finding) => (
              <Finding key={finding.id} finding={finding} />
            ))}
          </section>
        )
      })}
    </div>
  )
}

function NoFindings() {
  const { requests = 0 } = simulator.value ?? {}
  return (
    <Empty icon="findings" title={requests === 0 ? 'No requests yet' : 'No findings'}>
      <p>
        {requests === 0
          ? 'Send requests from your app to the simulator. Its mistakes appear here, such as polling too fast or sending the API key to the file host.'
          : `The client made no visible mistake in ${requests} ${requests === 1 ? 'request' : 'requests'}. The simulator checks further requests as they arrive.`}
      </p>
    </Empty>
  )
}

function Finding({
  finding: { id, title, why, remedy, evidence, severity },
}: {
  readonly finding: FindingShape
}) {
  return (
    <article class={`card finding finding-${severity}`}>
      <header class="card-head">
        <h3>{title}</h3>
        <code>{id}</code>
      </header>
      <p>{why}</p>
      <p class="remedy">
        <b>Remedy</b> {remedy}
      </p>
      <details open={evidence.length <= 3}>
        <summary>
          {evidence.length} {evidence.length === 1 ? 'occurrence' : 'occurrences'}
        </summary>
        <ul class="evidence">
          {evidence
            .slice(0, MAX_SHOWN)
            .map(({ at, seen, task_id: task, delivery_ids: [delivery] = [] }, index) => (
              <li key={index}>
                <time dateTime={at}>{clockTime(Date.parse(at))}</time>
                <span>{seen}</span>
                {task !== undefined && (
                  <a href={linkTo({ view: 'tasks', id: task })} aria-label={`Timeline of ${task}`}>
                    Timeline
                  </a>
                )}
                {task === undefined && delivery !== undefined && (
                  <a href={linkTo({ view: 'webhooks', id: delivery })}>Delivery</a>
                )}
              </li>
            ))}
        </ul>
        {evidence.length > MAX_SHOWN && <p class="hint">and {evidence.length - MAX_SHOWN} more</p>}
      </details>
    </article>
  )
}
