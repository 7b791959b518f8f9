import { plural } from '../../model/format.js'
import { type TaskRecord, timelineOf } from '../../model/tasks/task-record.js'
import { layOutTimeline, scaleOf } from '../../model/timeline/timeline-layout.js'
import { useSize } from '../../parts/hooks.js'
import { changes } from '../../state/changes.js'
import { now } from '../../state/clock.js'
import { chartWidth, TimelineChart } from './timeline-chart.js'

const LEAST_WIDTH = 260
const PERIODS = ['queued', 'processing', 'planned', 'held'] as const

/** The states of a task, its requests, downloads and webhook attempts on a time axis. */
export function Timeline({ record }: { readonly record: TaskRecord }) {
  const [box, size] = useSize()
  const width = Math.max(LEAST_WIDTH, size.width)
  const { task } = record
  const timeline = timelineOf(record, task.completed_at === undefined ? now.value : now.peek(), changes.value)
  const scale = scaleOf([timeline], chartWidth(width))
  const layout = layOutTimeline(timeline, scale)
  const kinds = new Set(layout.items.map(({ kind }) => kind))
  return (
    <div class="timeline" ref={box}>
      <TimelineChart task={task} timeline={timeline} layout={layout} scale={scale} />
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
    </div>
  )
}

/** How often the client asked, and how often it was called. */
function countsOf({ entries, deliveries }: TaskRecord): string {
  const requests = (operation: string) =>
    entries.filter((entry) => entry.type === 'request' && entry.operation === operation).length
  const attempts = deliveries.reduce((sum, each) => sum + each.attempts.length, 0)
  return [
    plural(requests('tasks.retrieve'), 'poll'),
    plural(requests('files.download'), 'download'),
    plural(attempts, 'webhook attempt'),
  ].join(', ')
}
