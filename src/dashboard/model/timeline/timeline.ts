/** The lane of the states; the others follow from 1. */
export const STATE_LANE = 0

/** What happened to a task at one time. */
export interface TimelineEvent {
  readonly kind:
    | 'create'
    | 'poll'
    | 'cancel'
    | 'request'
    | 'download'
    | 'expiry'
    | 'delivery'
    | 'retry'
    | 'plan'
    | 'end'
    | 'change'
  /** Its lane, from 0. */
  readonly lane: number
  readonly at: number
  readonly label: string
  /** Whether it was a success; undefined if not applicable. */
  readonly ok?: boolean | undefined
  /** The request or delivery with the details. */
  readonly target?: { readonly view: 'requests' | 'webhooks'; readonly id: string }
}

/** A period in the lane of the states. */
export interface Period {
  readonly kind: 'queued' | 'processing' | 'planned' | 'held'
  readonly from: number
  readonly to: number
}

/** A lane below that of the states. */
export interface Lane {
  readonly name: string
  /** The name in full, such as the URL of a receiver. */
  readonly title: string
}

/** The attempts of one delivery, which a line joins. */
export interface Chain {
  readonly lane: number
  readonly from: number
  readonly to: number
}

/** The states and events of a task. Times are epoch milliseconds. */
export interface TaskTimeline {
  readonly created: number
  /** The actual or planned end or, without either, the current time. */
  readonly until: number
  readonly ended: boolean
  readonly now: number
  readonly lanes: readonly Lane[]
  readonly periods: readonly Period[]
  readonly events: readonly TimelineEvent[]
  readonly chains: readonly Chain[]
}

const DAY = 86_400_000

/** The times of a task from which its periods follow. */
export interface TaskTimes {
  readonly created: number
  readonly started: number | undefined
  readonly ended: number | undefined
  /** The planned end, if known and not suspended. */
  readonly planned: number | undefined
  readonly held: readonly Omit<Period, 'kind'>[]
  readonly now: number
}

/** The time at which the bar of a task ends. */
export function untilOf({ created, ended, planned, now }: TaskTimes): number {
  return Math.max(created, ended ?? Math.max(planned ?? created, Math.min(now, created + DAY)))
}

/** The periods of a task, in the order of their starts. */
export function periodsOf(times: TaskTimes): Period[] {
  const { created, started, ended, now, held } = times
  const until = untilOf(times)
  const passed = Math.min(ended ?? now, until)
  const begun = started ?? passed
  const rest = Math.max(passed, begun)
  return [
    { kind: 'queued' as const, from: created, to: begun },
    { kind: 'processing' as const, from: begun, to: passed },
    ...(ended === undefined ? [{ kind: 'planned' as const, from: rest, to: until }] : []),
    ...held.map((each) => ({ kind: 'held' as const, from: each.from, to: Math.min(each.to, until) })),
  ].filter(({ from, to }) => to > from)
}
