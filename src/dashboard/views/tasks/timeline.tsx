import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { duration } from '../../model/format.js'
import { type TaskRecord, timelineOf } from '../../model/task-record.js'
import { layOutTimeline, type Mark, type TimelineLayout } from '../../model/timeline.js'
import { now } from '../../state/clock.js'

const LANES = { state: 12, poll: 52, download: 76, delivery: 100, expiry: 30 } as const
const BAR = 22
const HEIGHT = 148
const AXIS = 122
const LEFT = 78
const RIGHT = 18

/** The states of a task, its polls, downloads and webhook attempts on a time axis. */
export function Timeline({ record }: { readonly record: TaskRecord }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useSignal(600)
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) width.value = Math.max(260, entry.contentRect.width)
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const hasEnded = record.task.completed_at !== undefined
  const timeline = timelineOf(record, hasEnded ? now.peek() : now.value)
  const layout = layOutTimeline(timeline, width.value - LEFT - RIGHT)
  return (
    <div class="timeline" ref={box}>
      <svg width={width.value} height={HEIGHT} role="img" aria-label={describeTimeline(record, layout)}>
        <Labels />
        <g transform={`translate(${LEFT} 0)`}>
          <Axis layout={layout} width={width.value - LEFT - RIGHT} />
          {layout.segments.map(({ kind, x, width }) => (
            <rect
              key={kind}
              class={`segment segment-${kind}`}
              x={x}
              y={LANES.state}
              width={width}
              height={BAR}
              rx="4"
            >
              <title>{kind}</title>
            </rect>
          ))}
          {layout.nowX !== undefined && (
            <line class="now" x1={layout.nowX} x2={layout.nowX} y1="4" y2={AXIS} />
          )}
          {layout.marks.map((mark) => (
            <MarkShape key={`${mark.kind} ${mark.x} ${mark.ok}`} mark={mark} />
          ))}
          {layout.later.map((mark) => (
            <g key={`${mark.kind} ${mark.ok}`}>
              <MarkShape mark={mark} />
              <text class="tick" x={mark.x} y={AXIS + 16} text-anchor="middle">
                +{duration(mark.after)}
              </text>
            </g>
          ))}
        </g>
      </svg>
      <Legend record={record} />
    </div>
  )
}

function Labels() {
  return (
    <g class="lane-labels">
      <text x="0" y={LANES.state + 15}>
        State
      </text>
      <text x="0" y={LANES.poll + 4}>
        Polls
      </text>
      <text x="0" y={LANES.download + 4}>
        Files
      </text>
      <text x="0" y={LANES.delivery + 4}>
        Webhooks
      </text>
    </g>
  )
}

function Axis({ layout, width }: { readonly layout: TimelineLayout; readonly width: number }) {
  const end = layout.breakX ?? width
  return (
    <g>
      {[LANES.poll, LANES.download, LANES.delivery].map((y) => (
        <line key={y} class="lane" x1="0" x2={width} y1={y} y2={y} />
      ))}
      <line class="axis" x1="0" x2={end} y1={AXIS} y2={AXIS} />
      {layout.ticks
        .filter(({ x }) => x <= end - 24)
        .map(({ x, after }) => (
          <g key={after}>
            <line class="axis" x1={x} x2={x} y1={AXIS} y2={AXIS + 4} />
            <text class="tick" x={x} y={AXIS + 16} text-anchor={after === 0 ? 'start' : 'middle'}>
              {after === 0 ? '0' : `+${duration(after)}`}
            </text>
          </g>
        ))}
      {layout.breakX !== undefined && (
        <path class="break" d={`M${layout.breakX - 3} ${AXIS + 6} l4 -12 m3 12 l4 -12`}>
          <title>Break in the time axis: not to scale</title>
        </path>
      )}
    </g>
  )
}

/** Each kind has its own lane and shape: a tick for a poll, a square for a file, an arrow for a webhook, a cross for a failure. */
function MarkShape({ mark: { kind, x, ok, count, label } }: { readonly mark: Mark }) {
  const y = LANES[kind]
  const title = <title>{count > 1 ? `${count} × ${label}` : label}</title>
  const markClass = `mark mark-${kind}${ok === false ? ' mark-bad' : ''}`
  if (ok === false)
    return (
      <path class={markClass} d={`M${x - 4} ${y - 4} l8 8 m0 -8 l-8 8`}>
        {title}
      </path>
    )
  if (kind === 'poll')
    return (
      <path class={markClass} d={`M${x} ${y - 7} v14`}>
        {title}
      </path>
    )
  if (kind === 'delivery')
    return (
      <path class={markClass} d={`M${x - 4} ${y - 6} l9 6 l-9 6 z`}>
        {title}
      </path>
    )
  if (kind === 'download')
    return (
      <rect class={markClass} x={x - 4} y={y - 4} width="8" height="8">
        {title}
      </rect>
    )
  return (
    <g>
      <path class={markClass} d={`M${x} ${y - 7} l6 7 l-6 7 l-6 -7 z`}>
        {title}
      </path>
      <text class="tick" x={x} y={y - 14} text-anchor="middle">
        {label}
      </text>
    </g>
  )
}

function Legend({ record: { entries, deliveries } }: { readonly record: TaskRecord }) {
  const polls = entries.filter(
    (entry) => entry.type === 'request' && entry.operation === 'tasks.retrieve',
  ).length
  const attempts = deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0)
  return (
    <p class="legend">
      <span class="legend-queued">queued</span>
      <span class="legend-processing">processing</span>
      <span class="legend-planned">planned</span>
      <span>
        <b>{polls}</b> {polls === 1 ? 'poll' : 'polls'}, <b>{attempts}</b> webhook{' '}
        {attempts === 1 ? 'attempt' : 'attempts'}
      </span>
    </p>
  )
}

function describeTimeline({ task }: TaskRecord, { marks, segments }: TimelineLayout): string {
  const number = (kind: Mark['kind']) =>
    marks.filter((mark) => mark.kind === kind).reduce((sum, { count }) => sum + count, 0)
  return `${segments.map(({ kind }) => kind).join(', then ')}; now ${task.status}. ${number('poll')} polls, ${number('delivery')} webhook attempts, ${number('download')} downloads.`
}
