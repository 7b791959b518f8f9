import { duration } from '../../model/format.js'
import type { Scale } from '../../model/timeline/timeline-scale.js'

/** The time axis of a timeline below its lanes, with a break before much later times. */
export function Axis({
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
