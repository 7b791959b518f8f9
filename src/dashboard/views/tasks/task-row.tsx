import type { TaskBriefShape } from '../../../control/shapes.js'
import { dollars, duration } from '../../model/format.js'
import { Icon } from '../../parts/icon.js'
import { Instant } from '../../parts/instant.js'
import { StateMark } from '../../parts/state-badge.js'
import { findingTitles } from '../../state/session.js'
import { taskChoices } from '../../state/tasks.js'

/** The content of a task's row in the list. */
export function TaskRow({ task }: { readonly task: TaskBriefShape }) {
  const { status, prompt, model, kind, dialect, error, held } = task
  return (
    <>
      <StateMark state={status} />
      <span class="row-title">{prompt === '' ? <em>no prompt</em> : prompt}</span>
      <Instant class="row-time" at={task.created_at} />
      <span class="row-what">
        <span class="kind">{kind}</span> {model}
        {taskChoices.value.dialects.length > 1 && <span class="row-dialect">{dialect}</span>}
        <FindingMark id={task.id} />
        {error !== undefined && <span class="row-error">{error}</span>}
        {held && (
          <span class="row-held">
            <Icon name="held" /> held
          </span>
        )}
      </span>
      <span class="row-cost">{durationAndCost(task)}</span>
    </>
  )
}

/** Marks a task with findings; nothing if there are none. */
function FindingMark({ id }: { readonly id: string }) {
  const titles = findingTitles.value.get(id)
  if (titles === undefined) return null
  return (
    <span class="row-finding" title={titles.join('\n')}>
      <Icon name="findings" />
      <span class="visually-hidden">Findings: {titles.join(', ')}</span>
    </span>
  )
}

function durationAndCost({ created_at, completed_at, cost_usd }: TaskBriefShape): string {
  if (completed_at === undefined) return ''
  const took = duration(Date.parse(completed_at) - Date.parse(created_at))
  return cost_usd ? `${took} · ${dollars(cost_usd)}` : took
}
