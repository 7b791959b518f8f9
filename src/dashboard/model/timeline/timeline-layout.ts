import { type Period, STATE_LANE, type TaskTimeline, type TimelineEvent } from './timeline.js'
import type { Scale } from './timeline-scale.js'

/** A period, or a mark for one or more events that are too close to be drawn separately. */
export interface TimelineItem {
  /** Identifies the item in its timeline, also after it has moved. */
  readonly key: string
  readonly kind: TimelineEvent['kind'] | Period['kind']
  readonly lane: number
  readonly x: number
  /** The width of a period; 0 for a mark. */
  readonly width: number
  readonly label: string
  readonly ok: boolean | undefined
  readonly count: number
  /** The time of the first and of the last event, or the ends of the period. */
  readonly from: number
  readonly to: number
  /** The request or delivery of the first event. */
  readonly target: TimelineEvent['target']
}

/** The positions of a timeline, in pixels. */
export interface TimelineLayout {
  /** In the order of their starts. */
  readonly items: readonly TimelineItem[]
  /** The lines between the attempts of a delivery. */
  readonly chains: readonly { readonly lane: number; readonly x1: number; readonly x2: number }[]
  readonly nowX: number | undefined
}

const MIN_GAP = 4

/** Places the parts of a timeline on a scale. */
export function layOutTimeline(timeline: TaskTimeline, scale: Scale): TimelineLayout {
  const { created, now, ended, periods, events, chains } = timeline
  const x = (at: number) => scale.x(at - created)
  const passed = now - created
  return {
    items: [...periods.map((period) => itemOfPeriod(period, x)), ...groupEvents(events, x)],
    chains: chains.map(({ lane, from, to }) => ({ lane, x1: x(from), x2: x(to) })),
    nowX: !ended && passed <= scale.span ? x(now) : undefined,
  }
}

function itemOfPeriod({ kind, from, to }: Period, x: (at: number) => number): TimelineItem {
  return {
    key: `${kind} ${from}`,
    kind,
    lane: STATE_LANE,
    x: x(from),
    width: Math.max(1, x(to) - x(from)),
    label: kind,
    ok: undefined,
    count: 1,
    from,
    to,
    target: undefined,
  }
}

/** Combines overlapping events of the same kind and result into one mark. */
function groupEvents(events: readonly TimelineEvent[], x: (at: number) => number): TimelineItem[] {
  const items: TimelineItem[] = []
  const lastOf = new Map<string, number>()
  for (const { kind, lane, at, label, ok, target } of [...events].sort((a, b) => a.at - b.at)) {
    const group = `${lane} ${kind} ${ok}`
    const index = lastOf.get(group)
    const item = index === undefined ? undefined : items[index]
    if (item !== undefined && index !== undefined && x(at) - item.x < MIN_GAP) {
      items[index] = { ...item, count: item.count + 1, to: at }
      continue
    }
    lastOf.set(group, items.length)
    const key = `${group} ${target?.id ?? ''} ${at}`
    items.push({ key, kind, lane, x: x(at), width: 0, label, ok, count: 1, from: at, to: at, target })
  }
  return items
}

type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End'

/** Whether a key moves through a timeline. */
export function isDirection(key: string): key is Direction {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)
}

/** The item to which a key moves: along its lane, or to the nearest item of the next lane that has any. */
export function neighborOf(
  items: readonly TimelineItem[],
  from: TimelineItem,
  direction: Direction,
): TimelineItem {
  const inLane = (lane: number) => items.filter((item) => item.lane === lane).sort((a, b) => a.x - b.x)
  const own = inLane(from.lane)
  const index = own.indexOf(from)
  switch (direction) {
    case 'ArrowLeft':
      return own[index - 1] ?? from
    case 'ArrowRight':
      return own[index + 1] ?? from
    case 'Home':
      return own[0] ?? from
    case 'End':
      return own.at(-1) ?? from
    default: {
      const step = direction === 'ArrowUp' ? -1 : 1
      const last = Math.max(...items.map(({ lane }) => lane))
      for (let lane = from.lane + step; lane >= 0 && lane <= last; lane += step) {
        const [nearest] = inLane(lane).sort((a, b) => Math.abs(a.x - from.x) - Math.abs(b.x - from.x))
        if (nearest !== undefined) return nearest
      }
      return from
    }
  }
}
