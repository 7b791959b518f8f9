import { clockTime, cssPercent, dayTime, dollars, duration } from '../../model/format.js'
import { barOf, refusedMarks, stagesOf } from '../../model/overview/bar.js'
import { runningIn } from '../../model/overview/running.js'
import { fractionOf, type Span, spanOf, ticksOf } from '../../model/overview/time-range.js'
import { TASK_STATES } from '../../model/tasks/task-store.js'
import { StateMark } from '../../parts/badges.js'
import { Icon } from '../../parts/icon.js'
import { today } from '../../state/clock.js'
import { refusedCreations, runningNow, runs, times, until } from '../../state/overview.js'
import { linkTo } from '../../state/route.js'
import { taskList } from '../../state/tasks.js'

const COLUMNS = 240
const HEIGHT = 40

/** The time axis, the number of running tasks with their limit, and the refused create requests. */
export function Lanes({ limit }: { readonly limit: number | undefined }) {
  return (
    <>
      <Axis />
      <Running limit={limit} />
      <Refused />
    </>
  )
}

function Axis() {
  return (
    <div class="fall-row fall-axis" aria-hidden="true">
      <span />
      <span class="span-track">
        {ticksOf(times.value).map(({ at, label }) => (
          <span key={at} class="fall-tick" style={{ left: cssPercent(fractionOf(at, times.value)) }}>
            {label}
          </span>
        ))}
      </span>
      <span />
    </div>
  )
}

/** A line through the chart at each tick of the axis. */
export function Grid() {
  return (
    <div class="fall-row fall-grid" aria-hidden="true">
      <span />
      <span class="span-track">
        {ticksOf(times.value).map(({ at }) => (
          <i key={at} style={{ left: cssPercent(fractionOf(at, times.value)) }} />
        ))}
      </span>
    </div>
  )
}

function Running({ limit }: { readonly limit: number | undefined }) {
  const most = runningIn(runs.value, times.value, COLUMNS, until.value)
  const highest = Math.max(...most, 0)
  const scale = Math.max(highest, limit ?? 0, 1)
  const y = (value: number) => HEIGHT - (value / scale) * (HEIGHT - 2)
  const { waiting, running } = runningNow.value
  return (
    <div class="fall-row">
      <span class="fall-name">
        Running <b>{running}</b>
        {limit !== undefined && ` of ${limit}`}
        {waiting > 0 && <small>{waiting} waiting</small>}
      </span>
      <span class="span-track fall-running">
        <svg
          viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Running tasks: at most ${highest} at once${limit === undefined ? '' : `, limit ${limit}`}`}
        >
          <path class="running" d={areaOf(most, y)} />
          {limit !== undefined && <path class="limit" d={`M0 ${y(limit)}H${COLUMNS}`} />}
        </svg>
      </span>
      <span class="span-took">max {highest}</span>
    </div>
  )
}

function areaOf(values: readonly number[], y: (value: number) => number): string {
  const steps = values.map((value, column) => `V${y(value)}H${column + 1}`)
  return `M0 ${y(0)}${steps.join('')}V${y(0)}Z`
}

function Refused() {
  const marks = refusedMarks(refusedCreations.value, times.value)
  if (marks.length === 0) return null
  const count = marks.reduce((sum, { ids }) => sum + ids.length, 0)
  return (
    <div class="fall-row">
      <span class="fall-name">
        Refused <b>{count}</b>
      </span>
      <span class="span-track fall-refused">
        {marks.map(({ place, ids, label }) => (
          <a
            key={ids.at(-1)}
            href={linkTo(
              ids.length === 1
                ? { view: 'requests', id: ids[0] }
                : { view: 'requests', query: { status: 'refused', operation: 'tasks.create' } },
            )}
            title={label}
            aria-label={label}
            style={{ left: cssPercent(place) }}
          >
            <Icon name="failed" />
          </a>
        ))}
      </span>
      <span />
    </div>
  )
}

/** The content of a row: the prompt, the bar, the mark of the state, and the duration. */
export function SpanRow({ span }: { readonly span: Span }) {
  const { task, created, ended } = span
  const { queued, processing, end } = barOf(span, times.value, until.value)
  const state = task.held ? 'held' : task.status
  return (
    <>
      <span class="span-name one-line">{task.prompt || task.model}</span>
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
export function Details({ id }: { readonly id: string | undefined }) {
  taskList.version.value
  const task = id === undefined ? undefined : taskList.store.get(id)
  if (task === undefined) return <Legend />
  const span = spanOf(task)
  const { created, ended } = span
  const cost = task.cost_usd ? dollars(task.cost_usd) : undefined
  const end = ended === undefined ? [] : ['–', clockTime(ended, true)]
  const facts = [task.held ? 'held' : task.status, task.error, task.model, stagesOf(span, until.value), cost]
  return (
    <p class="fall-details">
      <b class="one-line">{task.prompt || task.model}</b>{' '}
      <time>{[dayTime(created, today.value, true), ...end].join(' ')}</time>
      <span>{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}

function Legend() {
  return (
    <p class="fall-details fall-legend" aria-hidden="true">
      {[...TASK_STATES, 'held'].map((state) => (
        <span key={state}>
          <i class={`piece piece-${state}`} /> {state}
        </span>
      ))}
      <small>Point to a bar for its times. j, k or the arrow keys move; Enter opens the task.</small>
    </p>
  )
}
