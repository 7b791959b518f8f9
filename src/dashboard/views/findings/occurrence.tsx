import type { FindingShape } from '../../../control/shapes.js'
import { Instant } from '../../parts/badges.js'
import { linkTo } from '../../state/route.js'

/** One occasion on which the client made a mistake. */
export function Occurrence({
  evidence,
  isOnTask = false,
}: {
  readonly evidence: FindingShape['evidence'][number]
  /** Whether it is shown on the page of its task. */
  readonly isOnTask?: boolean
}) {
  const { at, seen, prompt, model, task_id: task } = evidence
  const { delivery_ids: [delivery] = [], request_ids: [request] = [] } = evidence
  return (
    <li>
      <Instant at={at} />
      <span>
        {prompt !== undefined && !isOnTask && <q>{prompt}</q>} {seen}
        {model !== undefined && !isOnTask && <small class="muted"> {model}</small>}
      </span>
      {task !== undefined && !isOnTask && (
        <a href={linkTo({ view: 'tasks', id: task })} aria-label={`Timeline of ${task}`}>
          Timeline
        </a>
      )}
      {(task === undefined || isOnTask) && delivery !== undefined && (
        <a href={linkTo({ view: 'webhooks', id: delivery })}>Delivery</a>
      )}
      {request !== undefined && <a href={linkTo({ view: 'requests', id: request })}>Request</a>}
    </li>
  )
}
