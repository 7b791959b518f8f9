import { type Period, STATE_LANE, type TaskTimeline, type TimelineEvent } from './timeline.js'

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
  /** By lane, and in each in the order of their starts. */
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
    items: [...periods.map((period) => itemOfPeriod(period, x)), ...groupEvents(events, x)].sort(
      (a, b) => a.lane - b.lane || a.x - b.x,
    ),
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

/** Places times after the creation of a task, in milliseconds, on an axis, in pixels. */
export interface Scale {
  readonly width: number
  /** The end of the linear part; much later events have slots after it. */
  readonly end: number
  readonly slots: readonly { readonly x: number; readonly after: number }[]
  readonly ticks: readonly { readonly x: number; readonly after: number }[]
  /** The time at the end of the linear part. */
  readonly span: number
  /** The position of a time. */
  x(after: number): number
}

/** Events later than this many times the duration of the task have slots. */
const BREAK_AFTER = 5
const SLOT_WIDTH = 92
const MIN_LINEAR = 80
const MIN_SPAN = 200

/** A later event that is at most so many times later than the first one in a slot shares the slot. */
const SLOT_REACH = 1.5

/** The common scale of one or several timelines, each from the creation of its task. */
export function scaleOf(timelines: readonly TaskTimeline[], width: number): Scale {
  const untils = timelines.map(({ created, until }) => until - created)
  const reach = Math.max(MIN_SPAN, ...untils) * BREAK_AFTER
  const afters = timelines.flatMap(({ created, events }) => events.map(({ at }) => at - created))
  const near = afters.filter((after) => after <= reach)
  const most = Math.max(1, Math.floor((width - MIN_LINEAR) / SLOT_WIDTH / 2))
  const later = slotsOf(
    afters.filter((after) => after > reach),
    most,
  )
  const span = [...untils, ...near].reduce((a, b) => Math.max(a, b), MIN_SPAN) * 1.04
  const end = later.length === 0 ? width : Math.max(MIN_LINEAR, width - later.length * SLOT_WIDTH)
  const slots = later.map((after, index) => ({ after, x: round(end + (index + 0.5) * SLOT_WIDTH) }))
  const x = (after: number) =>
    slots.findLast((slot) => slot.after <= after)?.x ??
    round((Math.min(span, Math.max(0, after)) / span) * end)
  return {
    width,
    end,
    slots,
    span,
    ticks: ticksFor(span, end).map((after) => ({ x: x(after), after })),
    x,
  }
}

/** The first times of at most so many slots; the last slot has the rest. */
function slotsOf(afters: readonly number[], most: number): number[] {
  const slots: number[] = []
  for (const after of [...afters].sort((a, b) => a - b)) {
    const last = slots.at(-1)
    if (last === undefined || (after > last * SLOT_REACH && slots.length < most)) slots.push(after)
  }
  return slots
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5,
  216e5, 432e5, 864e5,
]

/** Round offsets for the axis, at least 90 pixels apart. */
export function ticksFor(span: number, width: number): number[] {
  const step = STEPS.find((each) => (each / span) * width >= 90) ?? 864e5 * Math.ceil(span / 864e5 / 4)
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
