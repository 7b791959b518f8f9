import type { ComponentChildren } from 'preact'
import { counted } from '../../../engine/counted.js'
import { type TaskRecord, timelineOf } from '../../model/tasks/task-record.js'
import { layOutTimeline, scaleOf } from '../../model/timeline/timeline-layout.js'
import { useSize } from '../../parts/hooks.js'
import { changes } from '../../state/changes.js'
import { now } from '../../state/clock.js'
import { chartWidth, TimelineChart } from './timeline-chart.js'

const LEAST_WIDTH = 260
const PERIODS = ['queued', 'processing', 'planned', 'held'] as const

/** The states of tasks, their requests, downloads and webhook attempts, on one time axis. */
export function Timelines({
  records,
  headOf = () => null,
}: {
  readonly records: readonly TaskRecord[]
  /** Renders what is above the timeline of a task. */
  readonly headOf?: (record: TaskRecord, index: number) => ComponentChildren
}) {
  const [box, size] = useSize()
  const haveEnded = records.every(({ task }) => task.completed_at !== undefined)
  const at = haveEnded ? now.peek() : now.value
  const timelines = records.map((record) => timelineOf(record, at, changes.value))
  const scale = scaleOf(timelines, chartWidth(Math.max(LEAST_WIDTH, size.width)))
  return (
    <div class="timeline" ref={box}>
      {timelines.map((timeline, index) => {
        const record = records[index]
        if (record === undefined) return null
        const layout = layOutTimeline(timeline, scale)
        return (
          <div key={record.task.id}>
            {headOf(record, index)}
            <TimelineChart task={record.task} timeline={timeline} layout={layout} scale={scale} />
            <Legend record={record} kinds={new Set(layout.items.map(({ kind }) => kind))} />
          </div>
        )
      })}
    </div>
  )
}

function Legend({ record, kinds }: { readonly record: TaskRecord; readonly kinds: ReadonlySet<string> }) {
  return (
    <p class="legend">
      {PERIODS.filter((kind) => kinds.has(kind)).map((kind) => (
        <span key={kind} class={`legend-${kind}`}>
          {kind}
        </span>
      ))}
      {kinds.has('change') && <span class="legend-change">scenario or clock changed</span>}
      {kinds.has('expiry') && <span class="legend-expiry">URLs expire</span>}
      <span class="legend-counts">{countsOf(record)}</span>
    </p>
  )
}

/** How often the client asked, and how often it was called. */
function countsOf({ entries, deliveries }: TaskRecord): string {
  const requests = (operation: string) =>
    entries.filter((entry) => entry.type === 'request' && entry.operation === operation).length
  const attempts = deliveries.reduce((sum, each) => sum + each.attempts.length, 0)
  return [
    counted(requests('tasks.retrieve'), 'poll'),
    counted(requests('files.download'), 'download'),
    counted(attempts, 'webhook attempt'),
  ].join(', ')
}
