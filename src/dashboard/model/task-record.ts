import type { DeliveryShape, EntryShape, ServiceRequestShape, TaskShape } from '../../control/shapes.js'
import type { TaskTimeline, TimelineEvent } from './timeline.js'

/** A task with its journal entries and deliveries. */
export interface TaskRecord {
  readonly task: TaskShape
  /** A request that creates an identical task. */
  readonly request: ServiceRequestShape
  /** The journal entries of the task, oldest first. */
  readonly entries: readonly EntryShape[]
  readonly deliveries: readonly DeliveryShape[]
}

/** The data of the timeline of a task. */
export function timelineOf({ task, entries, deliveries }: TaskRecord, now: number): TaskTimeline {
  const completed = instant(task.completed_at)
  return {
    created: Date.parse(task.created_at),
    started: instant(task.started_at),
    ended: completed,
    planned: task.held ? undefined : instant(task.plan.ends_at),
    now,
    events: [...entries.flatMap(requestEvents), ...deliveries.flatMap(attemptEvents), ...expiry(task)],
  }
}

function requestEvents(entry: EntryShape): TimelineEvent[] {
  if (entry.type !== 'request') return []
  const { operation, status, method, delivered } = entry
  const kind =
    operation === 'tasks.retrieve' ? 'poll' : operation === 'files.download' ? 'download' : undefined
  if (kind === undefined) return []
  const label = `${method} ${status === 0 ? 'no answer' : status}${delivered ? '' : ', incomplete'}`
  return [{ kind, at: Date.parse(entry.at), label, ok: status >= 200 && status < 400 && delivered }]
}

function attemptEvents({ attempts }: DeliveryShape): TimelineEvent[] {
  return attempts.flatMap(({ number, started_at: at, status, error }) =>
    at === undefined
      ? []
      : [
          {
            kind: 'delivery' as const,
            at: Date.parse(at),
            label: `attempt ${number}: ${status ?? error ?? 'no answer'}`,
            ok: status !== undefined && status >= 200 && status < 300,
          },
        ],
  )
}

/** The time at which the current URLs of the output expire. */
function expiry(task: TaskShape): TimelineEvent[] {
  const seconds = /[?&]expires=(\d+)/.exec(JSON.stringify(task.output ?? {}))?.[1]
  return seconds === undefined ? [] : [{ kind: 'expiry', at: Number(seconds) * 1_000, label: 'URLs expire' }]
}

function instant(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at)
}
