import type { DeliveryShape, EntryShape, TaskShape } from '../../control/shapes.js'
import type { Moment, Story } from './timeline.js'

/** Everything that is known of one task. */
export interface TaskRecord {
  readonly task: TaskShape
  /** Its lines of the journal, oldest first. */
  readonly entries: readonly EntryShape[]
  readonly deliveries: readonly DeliveryShape[]
}

/** Tells a task's life as its timeline draws it. */
export function storyOf({ task, entries, deliveries }: TaskRecord, now: number): Story {
  const completed = instant(task.completed_at)
  return {
    created: Date.parse(task.created_at),
    started: instant(task.started_at),
    ended: completed,
    planned: task.held ? undefined : instant(task.plan.ends_at),
    now,
    moments: [...entries.flatMap(requestMoment), ...deliveries.flatMap(attemptMoments), ...expiry(task)],
  }
}

function requestMoment(entry: EntryShape): Moment[] {
  if (entry.type !== 'request') return []
  const { operation, status, method, delivered } = entry
  const kind =
    operation === 'tasks.retrieve' ? 'poll' : operation === 'files.download' ? 'download' : undefined
  if (kind === undefined) return []
  const label = `${method} ${status === 0 ? 'no answer' : status}${delivered ? '' : ', cut off'}`
  return [{ kind, at: Date.parse(entry.at), label, ok: status >= 200 && status < 400 && delivered }]
}

function attemptMoments({ attempts }: DeliveryShape): Moment[] {
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

/** When the URLs of the output that is shown now stop working. */
function expiry(task: TaskShape): Moment[] {
  const seconds = /[?&]expires=(\d+)/.exec(JSON.stringify(task.output ?? {}))?.[1]
  return seconds === undefined ? [] : [{ kind: 'expiry', at: Number(seconds) * 1_000, label: 'URLs expire' }]
}

function instant(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at)
}
