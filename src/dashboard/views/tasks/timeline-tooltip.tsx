import type { TimelineItem } from '../../model/timeline/timeline-layout.js'
import { itemText } from '../../model/timeline/timeline-text.js'
import { today } from '../../state/clock.js'

const TOOLTIP_WIDTH = 300

/**
 * The name and the times of an item, which are also its accessible name.
 * @param left the start of the time axis, `right` the end of the chart after it, in pixels
 */
export function TimelineTooltip({
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
