import type { DeliveryShape, EntryShape, TaskShape } from '../../../control/shapes.js'
import type { Change } from '../changes.js'
import { instant } from '../format.js'
import { decisionLabel, isRefused, statusLabel } from '../requests/request-filter.js'
import {
  type Chain,
  type Lane,
  periodsOf,
  STATE_LANE,
  type TaskTimeline,
  type TimelineEvent,
  untilOf,
} from '../timeline/timeline.js'
import { isAccepted } from '../webhooks/attempts.js'
import { type GivenUrls, givenUrls } from './url-expiry.js'

/** A task with its journal entries and deliveries. */
export interface TaskRecord {
  readonly task: TaskShape
  /** The journal entries of the task, oldest first. */
  readonly entries: readonly EntryShape[]
  readonly deliveries: readonly DeliveryShape[]
}

const REQUEST_LANE = 1
const FILE_LANE = 2
const FIRST_RECEIVER = 3

/** The data of the timeline of a task. */
export function timelineOf(record: TaskRecord, now: number, changes: readonly Change[] = []): TaskTimeline {
  const { task, entries, deliveries } = record
  const created = Date.parse(task.created_at)
  const ended = instant(task.completed_at)
  const times = {
    created,
    started: instant(task.started_at),
    ended,
    planned: task.held ? undefined : instant(task.plan.ends_at),
    held: holdsIn(entries, created, ended ?? now, task.held),
    now,
  }
  const urls = [...new Set([...deliveries].reverse().map(({ url }) => url))]
  const laneOf = ({ url }: DeliveryShape) => FIRST_RECEIVER + urls.indexOf(url)
  const until = untilOf(times)
  const seen = changes.filter(({ at }) => at >= created && at <= until && at <= now)
  return {
    created,
    until,
    ended: ended !== undefined,
    now,
    lanes: [
      { name: 'Requests', title: 'Creation, polls and cancellation' },
      { name: 'Files', title: 'Downloads, and when the URLs expire' },
      ...(urls.length === 0 ? [{ name: 'Webhooks', title: 'No webhook was sent' }] : receiverLanes(urls)),
    ],
    periods: periodsOf(times),
    events: [
      ...entries.flatMap((entry) => requestEvents(entry, REQUEST_LANE, FILE_LANE)),
      ...deliveries.flatMap((delivery) => deliveryEvents(delivery, laneOf(delivery))),
      ...givenUrls(record).map((urls) => expiryEvent(urls, now)),
      ...endEvents(task),
      ...seen.map(({ at, label }): TimelineEvent => ({ kind: 'change', lane: STATE_LANE, at, label })),
    ],
    chains: deliveries.flatMap((delivery) => deliveryChain(delivery, laneOf(delivery))),
  }
}

/** Shows only the paths of several receivers on one host. */
function receiverLanes(urls: readonly string[]): Lane[] {
  const parts = urls.map((url) => /^https?:\/\/([^/?]*)(.*)$/.exec(url) ?? [url, url, ''])
  const isOneHost = urls.length > 1 && new Set(parts.map(([, host]) => host)).size === 1
  return parts.map(([url = '', host = '', path = '']) => ({
    name: isOneHost ? path || '/' : host + path,
    title: `Webhooks to ${url}`,
  }))
}

/** The actual end, and the planned one if the task ended otherwise or has not ended. */
function endEvents({ status, error, plan, completed_at: completed }: TaskShape): TimelineEvent[] {
  const lane = STATE_LANE
  const [end, planned] = [instant(completed), instant(plan.ends_at)]
  const events: TimelineEvent[] = []
  if (planned !== undefined && (planned !== end || plan.outcome !== status))
    events.push({ kind: 'plan', lane, at: planned, label: `planned end: ${plan.outcome}` })
  if (end !== undefined) {
    const label = error === undefined ? status : `${status}: ${error.code}`
    events.push({ kind: 'end', lane, at: end, label, ok: status === 'succeeded' })
  }
  return events
}

/** The periods in which the task was held. The journal may have evicted the start of the first one. */
function holdsIn(entries: readonly EntryShape[], created: number, until: number, isHeld: boolean) {
  const holds: { from: number; to: number }[] = []
  let since: number | undefined
  let isKnown = false
  for (const entry of entries) {
    if (entry.type !== 'control') continue
    if (entry.what === 'hold') since ??= Date.parse(entry.at)
    else {
      holds.push({ from: since ?? created, to: Date.parse(entry.at) })
      since = undefined
    }
    isKnown = true
  }
  if (since !== undefined || (isHeld && !isKnown)) holds.push({ from: since ?? created, to: until })
  return holds
}

function expiryEvent({ in: source, expire }: GivenUrls, now: number): TimelineEvent {
  const label = `the URLs of ${source === 'answer' ? 'an answer' : 'a webhook'} ${expire <= now ? 'have expired' : 'expire'}`
  return { kind: 'expiry', lane: FILE_LANE, at: expire, label }
}

/** The attempts of a delivery, and the next one. */
function deliveryEvents(delivery: DeliveryShape, lane: number): TimelineEvent[] {
  const { id, event, state, created_at: created, next_attempt_at: next, attempts } = delivery
  const target = { view: 'webhooks', id } as const
  const tried = attempts.map((attempt): TimelineEvent => {
    const { number, started_at: at = created, status, error, flaw } = attempt
    const label = `${event}, attempt ${number}: ${status ?? error ?? 'no answer'}${flaw ? `, sent with a fault: ${flaw}` : ''}`
    return { kind: 'delivery', lane, at: Date.parse(at), label, ok: isAccepted(attempt), target }
  })
  if (state === 'lost') {
    const label = `${event}: not sent because of a fault`
    return [{ kind: 'delivery', lane, at: Date.parse(created), label, ok: false, target }]
  }
  if (next === undefined) return tried
  return [...tried, { kind: 'retry', lane, at: Date.parse(next), label: `${event}, next attempt`, target }]
}

/** The line from the first attempt of a delivery to its last or next one; none if there is only one. */
function deliveryChain(delivery: DeliveryShape, lane: number): Chain[] {
  const times = deliveryEvents(delivery, lane).map(({ at }) => at)
  return times.length < 2 ? [] : [{ lane, from: Math.min(...times), to: Math.max(...times) }]
}

/** How the timeline draws and calls the request of an operation. */
const REQUESTS: Readonly<Record<string, readonly [kind: TimelineEvent['kind'], name: string]>> = {
  'tasks.create': ['create', 'creation'],
  'tasks.retrieve': ['poll', 'poll'],
  'tasks.result': ['poll', 'result'],
  'tasks.cancel': ['cancel', 'cancellation'],
  'files.download': ['download', 'download'],
}

/** The event of a request on the timeline of its task; none for other entries. */
function requestEvents(entry: EntryShape, requestLane: number, fileLane: number): TimelineEvent[] {
  if (entry.type !== 'request') return []
  const { operation = '', method, id, at } = entry
  const decision = decisionLabel(entry)
  const [kind, name] = REQUESTS[operation] ?? ['request', `${method} ${operation}`.trim()]
  return [
    {
      kind,
      lane: kind === 'download' ? fileLane : requestLane,
      at: Date.parse(at),
      label: `${name}: ${[statusLabel(entry), decision].filter(Boolean).join(', ')}`,
      ok: !isRefused(entry),
      target: { view: 'requests', id },
    },
  ]
}
