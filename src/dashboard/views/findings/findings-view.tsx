import type { FindingShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { Empty } from '../../parts/empty.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { Instant } from '../../parts/instant.js'
import { Loading } from '../../parts/loading.js'
import { useAnchor } from '../../parts/use-anchor.js'
import { linkTo, route } from '../../state/route.js'
import { findings, recording, simulator } from '../../state/session.js'
import { FindingCopyMenu } from './finding-copy-menu.js'
import { Untested } from './untested.js'

const SEVERITIES = [
  ['error', 'Errors', 'cost money or lose results'],
  ['warning', 'Warnings', 'are risks in production'],
  ['note', 'Notes', 'are advice'],
] as const

/** The mistakes of the client under test, with evidence. */
export function FindingsView() {
  const found = findings.value
  if (found === undefined) return <Loading what="The findings" />
  const { id } = route.value
  return (
    <div class="findings">
      {id !== undefined && !found.some((finding) => finding.id === id) && <NotFound id={id} />}
      {found.length === 0 && <NoFindings />}
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
      <Untested />
    </div>
  )
}

/** The page checks again while requests arrive, so a finding of a link may disappear, and appear again. */
function NotFound({ id }: { readonly id: string }) {
  return (
    <p class="gone" role="status">
      <Icon name="note" />
      <span>
        The client has not made the mistake <code>{id}</code> since the start or the last reset of this
        simulator. <a href={linkTo({ view: 'findings' })}>Show all findings</a>
      </span>
    </p>
  )
}

function NoFindings() {
  const { requests = 0 } = simulator.value ?? {}
  const server = recording.value === undefined ? 'simulator' : 'proxy'
  return (
    <Empty icon="findings" title={requests === 0 ? 'No requests yet' : 'No findings'}>
      <p>
        {requests === 0
          ? `Send requests from your app to the ${server}. Mistakes of the app appear here, such as polling too fast or sending the API key to the file host.`
          : `tasksim found no mistake of the client in ${plural(requests, 'request')}. It checks further requests as they arrive.`}
      </p>
    </Empty>
  )
}

function Finding({ finding }: { readonly finding: FindingShape }) {
  const { id, title, why, remedy, evidence, count, severity } = finding
  const isNamed = route.value.id === id
  const element = useAnchor<HTMLElement>(isNamed)
  return (
    <article
      ref={element}
      class={`card finding finding-${severity}${isNamed ? ' named' : ''}`}
      tabIndex={isNamed ? -1 : undefined}
      aria-labelledby={`finding-${id}`}
    >
      <header class="card-head">
        <h3 id={`finding-${id}`}>{title}</h3>
        <span class="card-aside">
          <code>{id}</code>
          <FindingCopyMenu finding={finding} />
        </span>
      </header>
      <p>{why}</p>
      <p class="remedy">
        <b>Remedy</b> {remedy}
      </p>
      <details open={evidence.length <= 3}>
        <summary>{plural(count, 'occurrence')}</summary>
        <ul class="evidence">
          {evidence.map(
            (
              { at, seen, prompt, task_id: task, delivery_ids: [delivery] = [], request_ids: [request] = [] },
              index,
            ) => (
              <li key={index}>
                <Instant at={at} />
                <span>
                  {prompt !== undefined && <q>{prompt}</q>} {seen}
                </span>
                {task !== undefined && (
                  <a href={linkTo({ view: 'tasks', id: task })} aria-label={`Timeline of ${task}`}>
                    Timeline
                  </a>
                )}
                {task === undefined && delivery !== undefined && (
                  <a href={linkTo({ view: 'webhooks', id: delivery })}>Delivery</a>
                )}
                {request !== undefined && <a href={linkTo({ view: 'requests', id: request })}>Request</a>}
              </li>
            ),
          )}
        </ul>
        {count > evidence.length && <p class="hint">and {count - evidence.length} more</p>}
      </details>
    </article>
  )
}
