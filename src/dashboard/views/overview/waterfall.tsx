import { clockTime, count, cssPercent, dayTime, dollars, duration } from '../../model/format.js'
import { isFiltered } from '../../model/list-filter.js'
import { barOf, stagesOf } from '../../model/overview/bar.js'
import { fractionOf, type Span, ticksOf } from '../../model/overview/time-range.js'
import { TASK_STATES } from '../../model/tasks/task-store.js'
import { StateMark } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { type RowForm, VirtualList } from '../../parts/virtual-list.js'
import { today } from '../../state/clock.js'
import { shownSpans, times, until } from '../../state/overview.js'
import { simulator } from '../../state/session.js'
import { taskList } from '../../state/tasks.js'

const ROW: RowForm = { name: 'span', height: 26 }
const MOST_ROWS = 14

/**
 * The last tasks, one bar each, on a common time axis.
 * @param limit the number of tasks that may run at once, if the scenario limits it
 */
export function Waterfall({ limit }: { readonly limit: number | undefined }) {
  const spans = shownSpans.value
  const hasFilter = isFiltered(taskList.conditions.value)
  return (
    <Card title="Waterfall" aside={<span class="muted">{countsText(limit, spans.length, hasFilter)}</span>}>
      <div class="fall stack">
        <Axis />
        {spans.length === 0 ? (
          <p class="hint">{`No ${hasFilter ? 'matching ' : ''}tasks in this time range.`}</p>
        ) : (
          <div class="fall-rows" style={{ height: `${Math.min(spans.length, MOST_ROWS) * ROW.height}px` }}>
            <VirtualList
              items={spans}
              label="Waterfall of the tasks, newest first"
              openId={undefined}
              form={ROW}
              routeOf={(id) => ({ view: 'tasks', id, query: taskList.conditions.value })}
            >
              {(span) => <SpanRow span={span} />}
            </VirtualList>
          </div>
        )}
      </div>
      <p class="fall-legend muted" aria-hidden="true">
        {[...TASK_STATES, 'held'].map((state) => (
          <span key={state}>
            <i class={`piece piece-${state}`} /> {state}
          </span>
        ))}
      </p>
    </Card>
  )
}

/** How many tasks run and wait now, and how many the chart shows. */
function countsText(limit: number | undefined, shown: number, hasFilter: boolean): string {
  const { queued = 0, processing = 0 } = simulator.value?.tasks ?? {}
  return [
    limit === undefined ? `${processing} running` : `${processing} of ${limit} running`,
    queued > 0 && `${queued} waiting`,
    `${count(shown)} ${hasFilter ? 'matching' : 'shown'}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** The time axis, with a line through the chart at each tick. */
function Axis() {
  return (
    <div class="fall-axis" aria-hidden="true">
      <span />
      <span class="span-track">
        {ticksOf(times.value).map(({ at, label }) => (
          <span key={at} class="fall-tick" style={{ left: cssPercent(fractionOf(at, times.value)) }}>
            {label}
          </span>
        ))}
      </span>
    </div>
  )
}

/** The content of a row: the prompt, the bar, the mark of the state, and the duration. */
function SpanRow({ span }: { readonly span: Span }) {
  const { task, created, ended } = span
  const { queued, processing, end } = barOf(span, times.value, until.value)
  const state = task.held ? 'held' : task.status
  return (
    <>
      <span class="span-name one-line">{task.prompt || task.model}</span>
      <span class="span-track" title={detailsOf(span)}>
        {queued && <i class="piece piece-queued" style={placed(queued.start, queued.length)} />}
        {processing && (
          <i class={`piece piece-${state}`} style={placed(processing.start, processing.length)} />
        )}
        <span class="span-mark" style={{ left: cssPercent(end) }}>
          <StateMark state={state} />
        </span>
      </span>
      <span class="span-took">{ended === undefined ? '' : duration(ended - created)}</span>
      <span class="visually-hidden">{detailsOf(span)}</span>
    </>
  )
}

function placed(start: number, length: number) {
  return { left: cssPercent(start), width: cssPercent(length) }
}

/** The model, the times and the cost of a task. */
function detailsOf(span: Span): string {
  const { task, created, ended } = span
  const from = dayTime(created, today.value, true)
  return [
    task.model,
    ended === undefined ? `from ${from}` : `${from} – ${clockTime(ended, true)}`,
    stagesOf(span, until.value),
    task.error,
    task.cost_usd && dollars(task.cost_usd),
  ]
    .filter(Boolean)
    .join(', ')
}
