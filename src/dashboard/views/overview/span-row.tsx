import { clockTime, cssPercent, dayTime, dollars, duration } from '../../model/format.js'
import { barOf, stagesOf } from '../../model/overview/bar.js'
import { type Span, spanOf } from '../../model/overview/span.js'
import { TASK_STATES } from '../../model/tasks/task-filter.js'
import { StateMark } from '../../parts/state-badge.js'
import { today } from '../../state/clock.js'
import { times, until } from '../../state/overview.js'
import { taskStore, taskVersion } from '../../state/tasks.js'

/** The content of a row: the prompt, the bar, the mark of the state, and the duration. */
export function SpanRow({ span }: { readonly span: Span }) {
  const { task, created, ended } = span
  const { queued, processing, end } = barOf(span, times.value, until.value)
  const state = task.held ? 'held' : task.status
  return (
    <>
      <span class="span-name">{task.prompt || task.model}</span>
      <span class="span-track">
        {queued && <i class="piece piece-queued" style={placed(queued.start, queued.length)} />}
        {processing && (
          <i class={`piece piece-${state}`} style={placed(processing.start, processing.length)} />
        )}
        <span class="span-mark" style={{ left: cssPercent(end) }}>
          <StateMark state={state} />
        </span>
      </span>
      <span class="span-took">{ended === undefined ? '' : duration(ended - created)}</span>
      <span class="visually-hidden">
        {task.model}, from {clockTime(created)}, {stagesOf(span, until.value)}
      </span>
    </>
  )
}

function placed(start: number, length: number) {
  return { left: cssPercent(start), width: cssPercent(length) }
}

/** The times of the task under the pointer or of the active row; otherwise the meaning of the colors. */
export function Details({ id, hasLimits }: { readonly id: string | undefined; readonly hasLimits: boolean }) {
  taskVersion.value
  const task = id === undefined ? undefined : taskStore.get(id)
  if (task === undefined) return <Legend hasLimits={hasLimits} />
  const span = spanOf(task)
  const { created, ended } = span
  const cost = task.cost_usd ? dollars(task.cost_usd) : undefined
  const end = ended === undefined ? [] : ['–', clockTime(ended, true)]
  const facts = [task.held ? 'held' : task.status, task.error, task.model, stagesOf(span, until.value), cost]
  return (
    <p class="fall-details">
      <b>{task.prompt || task.model}</b>{' '}
      <time>{[dayTime(created, today.value, true), ...end].join(' ')}</time>
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}

function Legend({ hasLimits }: { readonly hasLimits: boolean }) {
  return (
    <p class="fall-details fall-legend" aria-hidden="true">
      {[...TASK_STATES, 'held'].map((state) => (
        <span key={state}>
          <i class={`piece piece-${state}`} /> {state}
        </span>
      ))}
      {hasLimits && (
        <span>
          <i class="piece piece-reached" /> limit reached
        </span>
      )}
      <small>Point to a bar for its times. j, k or the arrow keys move; Enter opens the task.</small>
    </p>
  )
}
