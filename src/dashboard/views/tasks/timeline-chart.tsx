import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { TaskShape } from '../../../control/shapes.js'
import { duration } from '../../model/format.js'
import { KEYS, nextItem } from '../../model/menu-keys.js'
import { STATE_LANE, type TaskTimeline } from '../../model/timeline/timeline.js'
import type { Scale, TimelineItem, TimelineLayout } from '../../model/timeline/timeline-layout.js'
import { itemText } from '../../model/timeline/timeline-text.js'
import { setTo } from '../../parts/hooks.js'
import { today } from '../../state/clock.js'
import { linkTo } from '../../state/route.js'
import { TimelineMark } from './timeline-mark.js'

const RIGHT = 14
const FIRST_LANE = 54
const LANE_HEIGHT = 26
const STATE_Y = 18

/** The size of a slim window, in which names of lanes have little space. */
const SLIM = 560

function nameWidth(width: number): number {
  return width < SLIM ? 84 : 168
}

/** The width of the time axis in a chart of a width. */
export function chartWidth(width: number): number {
  return width - nameWidth(width) - RIGHT
}

function yOf(lane: number): number {
  return lane === STATE_LANE ? STATE_Y : FIRST_LANE + (lane - 1) * LANE_HEIGHT
}

/** The requests are those of the task. */
function linkOf(target: NonNullable<TimelineItem['target']>, taskId: string): string {
  return linkTo({ ...target, query: target.view === 'requests' ? { text: taskId } : {} })
}

/** A timeline whose parts have tooltips. Arrow keys move through them, and Enter opens the request or webhook. */
export function TimelineChart({
  task,
  timeline,
  layout,
  scale,
}: {
  readonly task: Pick<TaskShape, 'id' | 'status'>
  readonly timeline: TaskTimeline
  readonly layout: TimelineLayout
  readonly scale: Scale
}) {
  const { items } = layout
  const drawing = useRef<SVGSVGElement>(null)
  const pointed = useSignal<string | undefined>(undefined)
  const active = useSignal<string | undefined>(undefined)
  const stop = items.find(({ key }) => key === active.value) ?? items[0]
  const shown = items.find(({ key }) => key === pointed.value)
  const left = scale.width < SLIM - nameWidth(SLIM) ? nameWidth(0) : nameWidth(SLIM)
  const axis = yOf(timeline.lanes.length) + 20
  const press = (event: KeyboardEvent, item: TimelineItem) => {
    if (event.key === 'Escape' && shown !== undefined) {
      pointed.value = undefined
    } else if (KEYS.includes(event.key)) {
      const index = nextItem(items.length, items.indexOf(item), event.key)
      active.value = items[index]?.key
      drawing.current?.querySelector<SVGElement>(`[data-item="${index}"]`)?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <div class="chart">
      <span class="lane-name one-line" style={{ top: `${STATE_Y}px`, width: `${left - 10}px` }}>
        State
      </span>
      {timeline.lanes.map(({ name, title }, index) => (
        <span
          key={title}
          class="lane-name one-line"
          title={title}
          style={{ top: `${yOf(index + 1)}px`, width: `${left - 10}px` }}
        >
          {name}
        </span>
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing, and no fieldset */}
      <svg
        ref={drawing}
        width={left + scale.width + RIGHT}
        height={axis + 24}
        role="group"
        aria-label="Timeline, arrow keys move through it"
      >
        <g transform={`translate(${left} 0)`}>
          <Axis scale={scale} y={axis} lanes={timeline.lanes.map((_, index) => yOf(index + 1))} />
          {layout.chains.map(({ lane, x1, x2 }) => (
            <line key={`${lane} ${x1} ${x2}`} class="chain" x1={x1} x2={x2} y1={yOf(lane)} y2={yOf(lane)} />
          ))}
          {layout.nowX !== undefined && (
            <line class="now" x1={layout.nowX} x2={layout.nowX} y1="4" y2={axis} />
          )}
          {items.map((item, index) => {
            const { name, when, after } = itemText(item, timeline.created, today.value)
            const { target } = item
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: it has a role or an address
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has a role or an address
              <a
                key={item.key}
                class="item"
                data-item={index}
                tabindex={item === stop ? 0 : -1}
                aria-label={`${name}, ${when}, ${after}`}
                {...(target === undefined ? { role: 'img' } : { href: linkOf(target, task.id) })}
                onKeyDown={(event: KeyboardEvent) => press(event, item)}
                onPointerEnter={() => {
                  pointed.value = item.key
                }}
                onPointerLeave={setTo(pointed, undefined)}
                onFocus={() => {
                  pointed.value = item.key
                  active.value = item.key
                }}
                onBlur={setTo(pointed, undefined)}
              >
                <TimelineMark item={item} y={yOf(item.lane)} status={task.status} />
              </a>
            )
          })}
        </g>
      </svg>
      {shown !== undefined && (
        <TimelineTooltip
          item={shown}
          created={timeline.created}
          left={left}
          top={yOf(shown.lane) + 14}
          right={scale.width + RIGHT}
        />
      )}
    </div>
  )
}

const TOOLTIP_WIDTH = 300

/**
 * The name and the times of an item, which are also its accessible name.
 * @param left the start of the time axis, `right` the end of the chart after it, in pixels
 */
function TimelineTooltip({
  item,
  created,
  left,
  top,
  right,
}: {
  readonly item: TimelineItem
  readonly created: number
  readonly left: number
  readonly top: number
  readonly right: number
}) {
  const { name, when, after } = itemText(item, created, today.value)
  const x = item.x + item.width / 2
  const start = Math.max(-left, Math.min(right - TOOLTIP_WIDTH, x - TOOLTIP_WIDTH / 2))
  return (
    <div class="tooltip" aria-hidden="true" style={{ top: `${top}px`, left: `${left + start}px` }}>
      <b>{name}</b>
      <span>{when}</span>
      <span class="muted">{after}</span>
    </div>
  )
}

/** The time axis of a timeline below its lanes, with a break before much later times. */
function Axis({
  scale,
  y,
  lanes,
}: {
  readonly scale: Scale
  readonly y: number
  readonly lanes: readonly number[]
}) {
  const { end, width, slots, ticks } = scale
  return (
    <g>
      {lanes.map((lane) => (
        <line key={lane} class="lane" x1="0" x2={width} y1={lane} y2={lane} />
      ))}
      <line class="axis" x1="0" x2={end} y1={y} y2={y} />
      {ticks
        .filter(({ x }) => x <= end - 24)
        .map(({ x, after }) => (
          <g key={after}>
            <line class="axis" x1={x} x2={x} y1={y} y2={y + 4} />
            <text class="tick" x={x} y={y + 16} text-anchor={after === 0 ? 'start' : 'middle'}>
              {after === 0 ? '0' : `+${duration(after)}`}
            </text>
          </g>
        ))}
      {slots.length > 0 && <path class="break" d={`M${end - 3} ${y + 6} l4 -12 m3 12 l4 -12`} />}
      {slots.map(({ x, after }) => (
        <text key={after} class="tick" x={x} y={y + 16} text-anchor="middle">
          +{duration(after)}
        </text>
      ))}
    </g>
  )
}
