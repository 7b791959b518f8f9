/** An event of a task other than a change of state. */
export interface TimelineEvent {
  readonly kind: 'poll' | 'delivery' | 'download' | 'expiry'
  readonly at: number
  readonly label: string
  /** Whether the event was a success; undefined if not applicable. */
  readonly ok?: boolean
}

/** The states and events of a task. Times are epoch milliseconds. */
export interface TaskTimeline {
  readonly created: number
  readonly started: number | undefined
  readonly ended: number | undefined
  /** The planned end, if known. */
  readonly planned: number | undefined
  readonly now: number
  readonly events: readonly TimelineEvent[]
}

interface Segment {
  readonly kind: 'queued' | 'processing' | 'planned'
  readonly x: number
  readonly width: number
}

/** A mark for one event, or for `count` events that are too close to be drawn separately. */
export interface Mark {
  readonly kind: TimelineEvent['kind']
  readonly x: number
  readonly count: number
  readonly label: string
  readonly ok: boolean | undefined
}

/** The positions of a timeline, in pixels. */
export interface TimelineLayout {
  readonly segments: readonly Segment[]
  readonly marks: readonly Mark[]
  readonly ticks: readonly { readonly x: number; readonly after: number }[]
  /** The end of the linear scale; much later events are drawn after it. */
  readonly breakX: number | undefined
  readonly later: readonly (Mark & { readonly after: number })[]
  readonly nowX: number | undefined
}

/** Events later than this many times the duration of the task are drawn after the break. */
const BREAK_AFTER = 5
const LATER_SLOT = 92
const MIN_GAP = 3
const MIN_SPAN = 200

/** Computes the layout of a timeline for a width in pixels. */
export function layOutTimeline(timeline: TaskTimeline, width: number): TimelineLayout {
  const { created, started, now, events } = timeline
  const end = Math.max(
    created,
    timeline.ended ?? Math.max(timeline.planned ?? created, Math.min(now, created + 864e5)),
  )
  const reach = created + Math.max(MIN_SPAN, end - created) * BREAK_AFTER
  const [near, far] = split(events, ({ at }) => at <= reach)
  const last = near.reduce((latest, { at }) => Math.max(latest, at), end)
  const span = Math.max(MIN_SPAN, last - created) * 1.04
  const slots = laterSlots(far, created)
  const breakX = slots.length === 0 ? undefined : Math.max(80, width - slots.length * LATER_SLOT)
  const scaleWidth = breakX ?? width
  const x = (at: number) => round((Math.max(0, at - created) / span) * scaleWidth)
  const processedUntil = Math.min(timeline.ended ?? now, end)
  return {
    segments: segmentsOf(timeline, started ?? processedUntil, processedUntil, end, x),
    marks: groupEvents(near, x),
    ticks: ticksFor(span, scaleWidth).map((after) => ({ x: x(created + after), after })),
    breakX,
    later: slots.map((slot, index) => ({ ...slot, x: round((breakX ?? 0) + (index + 0.5) * LATER_SLOT) })),
    nowX: timeline.ended === undefined && now <= created + span ? x(now) : undefined,
  }
}

function segmentsOf(
  { created, ended }: TaskTimeline,
  started: number,
  processedUntil: number,
  end: number,
  x: (at: number) => number,
): Segment[] {
  const segment = (kind: Segment['kind'], from: number, to: number): Segment[] =>
    to > from ? [{ kind, x: x(from), width: Math.max(1, round(x(to) - x(from))) }] : []
  return [
    ...segment('queued', created, started),
    ...segment('processing', started, processedUntil),
    ...(ended === undefined ? segment('planned', Math.max(processedUntil, started), end) : []),
  ]
}

/** Combines overlapping events of the same kind into one mark. */
function groupEvents(events: readonly TimelineEvent[], x: (at: number) => number): Mark[] {
  const marks: Mark[] = []
  const lastOf = new Map<string, number>()
  for (const { kind, at, label, ok } of [...events].sort((a, b) => a.at - b.at)) {
    const key = `${kind} ${ok}`
    const index = lastOf.get(key)
    const mark = index === undefined ? undefined : marks[index]
    if (mark !== undefined && index !== undefined && x(at) - mark.x < MIN_GAP) {
      marks[index] = { ...mark, count: mark.count + 1 }
      continue
    }
    lastOf.set(key, marks.length)
    marks.push({ kind, x: x(at), count: 1, label, ok })
  }
  return marks
}

/** The events after the break: one slot per kind and result, at the time of its first event. */
function laterSlots(events: readonly TimelineEvent[], created: number) {
  const slots = new Map<string, Mark & { after: number }>()
  for (const { kind, at, label, ok } of [...events].sort((a, b) => a.at - b.at)) {
    const key = `${kind} ${ok}`
    const known = slots.get(key)
    if (known === undefined) slots.set(key, { kind, x: 0, count: 1, label, ok, after: at - created })
    else slots.set(key, { ...known, count: known.count + 1 })
  }
  return [...slots.values()]
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

function split<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
