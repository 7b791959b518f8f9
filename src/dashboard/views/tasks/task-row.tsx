import type { TaskBriefShape } from '../../../control/shapes.js'
import { clockTime, dollars, duration } from '../../model/format.js'
import { Icon } from '../../parts/icon.js'
import { StateMark } from '../../parts/state-badge.js'
import { choices } from '../../state/session.js'

/** In pixels, as in the stylesheet. */
export const ROW_HEIGHT = 60

export interface TaskRowProps {
  readonly task: TaskBriefShape
  readonly position: number
  readonly count: number
  readonly isActive: boolean
  readonly isOpen: boolean
  readonly onOpen: () => void
}

/** One task in the list. */
export function TaskRow({ task, position, count, isActive, isOpen, onOpen }: TaskRowProps) {
  const { id, status, prompt, model, kind, dialect, error, held } = task
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`row-${id}`}
      class={`row${isActive ? ' row-active' : ''}`}
      role="option"
      aria-selected={isOpen}
      aria-posinset={position}
      aria-setsize={count}
      onClick={onOpen}
    >
      <StateMark state={status} />
      <span class="row-title">{prompt === '' ? <em>no prompt</em> : prompt}</span>
      <time class="row-time" dateTime={task.created_at}>
        {clockTime(Date.parse(task.created_at))}
      </time>
      <span class="row-what">
        <span class="kind">{kind}</span> {model}
        {choices.value.dialects.length > 1 && <span class="row-dialect">{dialect}</span>}
        {error !== undefined && <span class="row-error">{error}</span>}
        {held && (
          <span class="row-held">
            <Icon name="held" /> held
          </span>
        )}
      </span>
      <span class="row-cost">{durationAndCost(task)}</span>
    </div>
  )
}

function durationAndCost({ created_at, completed_at, cost_usd }: TaskBriefShape): string {
  if (completed_at === undefined) return ''
  const took = duration(Date.parse(completed_at) - Date.parse(created_at))
  return cost_usd ? `${took} · ${dollars(cost_usd)}` : took
}
