/** What happened to a task beside its states. */
export interface Moment {
  readonly kind: 'poll' | 'delivery' | 'download' | 'expiry'
  readonly at: number
  readonly label: string
  /** Whether it went well, where that can be said. */
  readonly ok?: boolean
}

/** A task's life, in epoch milliseconds. */
export interface Story {
  readonly created: number
  readonly started: number | undefined
  readonly ended: number | undefined
  /** When it will end, where that is known. */
  readonly planned: number | undefined
  readonly now: number
  readonly moments: readonly Moment[]
}

interface Segment {
  readonly kind: 'queued' | 'processing' | 'planned'
  readonly x: number
  readonly width: number
}

/** One mark on the picture; it stands for `count` moments that lie too close to tell apart. */
export interface Mark {
  readonly kind: Moment['kind']
  readonly x: number
  readonly count: number
  readonly label: string
  readonly ok: boolean | undefined
}

/** Where everything of a story lies, in pixels. */
export interface Picture {
  readonly segments: readonly Segment[]
  readonly marks: readonly Mark[]
  readonly ticks: readonly { readonly x: number; readonly after: number }[]
  /** Where the even scale ends; what comes much later lies behind it. */
  readonly breakX: number | undefined
  readonly later: readonly (Mark & { readonly after: number })[]
  readonly nowX: number | undefined
}

/** What is further away than so many times the task's own length lies behind the break. */
const FAR = 5
const LATER_SLOT = 92
const CLOSEST = 3
const SHORTEST_SPAN = 200

/** Lays a story out over a width in pixels. */
export function drawTimeline(story: Story, width: number): Picture {
  const { created, started, now, moments } = story
  const end = Math.max(
    created,
    story.ended ?? Math.max(story.planned ?? created, Math.min(now, created + 864e5)),
  )
  const reach = created + Math.max(SHORTEST_SPAN, end - created) * FAR
  const [near, far] = split(moments, ({ at }) => at <= reach)
  const last = near.reduce((latest, { at }) => Math.max(latest, at), end)
  const span = Math.max(SHORTEST_SPAN, last - created) * 1.04
  const slots = laterSlots(far, created)
  const breakX = slots.length === 0 ? undefined : Math.max(80, width - slots.length * LATER_SLOT)
  const scaleWidth = breakX ?? width
  const x = (at: number) => round((Math.max(0, at - created) / span) * scaleWidth)
  const over = Math.min(story.ended ?? now, end)
  return {
    segments: segmentsOf(story, started ?? over, over, end, x),
    marks: gather(near, x),
    ticks: ticksFor(span, scaleWidth).map((after) => ({ x: x(created + after), after })),
    breakX,
    later: slots.map((slot, index) => ({ ...slot, x: round((breakX ?? 0) + (index + 0.5) * LATER_SLOT) })),
    nowX: story.ended === undefined && now <= created + span ? x(now) : undefined,
  }
}

function segmentsOf(
  { created, ended }: Story,
  begun: number,
  over: number,
  end: number,
  x: (at: number) => number,
): Segment[] {
  const segment = (kind: Segment['kind'], from: number, to: number): Segment[] =>
    to > from ? [{ kind, x: x(from), width: Math.max(1, round(x(to) - x(from))) }] : []
  return [
    ...segment('queued', created, begun),
    ...segment('processing', begun, over),
    ...(ended === undefined ? segment('planned', Math.max(over, begun), end) : []),
  ]
}

/** Puts moments of a kind that would lie on each other into one mark. */
function gather(moments: readonly Moment[], x: (at: number) => number): Mark[] {
  const marks: Mark[] = []
  const lastOf = new Map<string, number>()
  for (const { kind, at, label, ok } of [...moments].sort((a, b) => a.at - b.at)) {
    const key = `${kind} ${ok}`
    const index = lastOf.get(key)
    const mark = index === undefined ? undefined : marks[index]
    if (mark !== undefined && index !== undefined && x(at) - mark.x < CLOSEST) {
      marks[index] = { ...mark, count: mark.count + 1 }
      continue
    }
    lastOf.set(key, marks.length)
    marks.push({ kind, x: x(at), count: 1, label, ok })
  }
  return marks
}

/** What lies behind the break: one slot a kind and result, at the time of its first moment. */
function laterSlots(moments: readonly Moment[], created: number) {
  const slots = new Map<string, Mark & { after: number }>()
  for (const { kind, at, label, ok } of [...moments].sort((a, b) => a.at - b.at)) {
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

/** Round offsets for the axis, at most one each 90 pixels. */
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
