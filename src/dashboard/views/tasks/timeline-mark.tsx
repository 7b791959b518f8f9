import type { TimelineItem } from '../../model/timeline/timeline-layout.js'
import { Icon, iconFor } from '../../parts/icon.js'

const BAR = 18
const HIT = 12

/**
 * The shape of an item: a bar for a period, a tick for a poll, a square for a file, an arrow for a webhook, a cross for
 * a failure, the sign of the state for the end.
 */
export function TimelineMark({
  item,
  y,
  status,
}: {
  readonly item: TimelineItem
  readonly y: number
  readonly status: string
}) {
  const { kind, x, width, ok } = item
  if (kind === 'held')
    return (
      <>
        <rect class="period period-held" x={x} y={y + BAR / 2 + 2} width={width} height="4" rx="2" />
        <rect class="hit" x={x} y={y + BAR / 2} width={width} height="8" rx="3" />
      </>
    )
  if (width > 0)
    return (
      <>
        <rect class={`period period-${kind}`} x={x} y={y - BAR / 2} width={width} height={BAR} rx="4" />
        <rect class="hit" x={x} y={y - BAR / 2} width={width} height={BAR} rx="4" />
      </>
    )
  return (
    <>
      {kind === 'end' ? (
        <g class={`state end state-${status}`} transform={`translate(${x - 10} ${y - 10})`}>
          <circle cx="10" cy="10" r="10.5" />
          <g class={`state-${status}`} transform="translate(1 1) scale(1.125)">
            <Icon name={iconFor(status)} />
          </g>
        </g>
      ) : ok === false ? (
        <path class={`mark mark-${kind} mark-bad`} d={`M${x - 4} ${y - 4} l8 8 m0 -8 l-8 8`} />
      ) : (
        <path class={`mark mark-${kind}`} d={shapeOf(kind, x, y)} />
      )}
      <rect class="hit" x={x - HIT / 2} y={y - 10} width={HIT} height="20" rx="4" />
    </>
  )
}

function shapeOf(kind: TimelineItem['kind'], x: number, y: number): string {
  switch (kind) {
    case 'create':
      return circle(x, y, 4)
    case 'cancel':
      return `${circle(x, y, 4.5)} M${x - 3} ${y + 3} l6 -6`
    case 'request':
      return circle(x, y, 2)
    case 'download':
      return `M${x - 4} ${y - 4} h8 v8 h-8 z`
    case 'delivery':
    case 'retry':
      return `M${x - 4} ${y - 6} l9 6 l-9 6 z`
    case 'expiry':
      return `M${x} ${y - 7} l6 7 l-6 7 l-6 -7 z`
    case 'change':
      return `M${x - 4} ${y - 14} h8 l-4 6 z`
    case 'plan':
      return circle(x, y, 5)
    default:
      return `M${x} ${y - 7} v14`
  }
}

function circle(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y} a${radius} ${radius} 0 1 0 ${2 * radius} 0 a${radius} ${radius} 0 1 0 ${-2 * radius} 0`
}
