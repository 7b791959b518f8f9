import type { Outcome, Status } from '../../tasks/task.js'

/** The events of the ends of tasks, whatever a service calls them. */
export const END_EVENTS = ['task.succeeded', 'task.failed', 'task.canceled'] as const

type EndEvent = (typeof END_EVENTS)[number]

/** The events before the end: a task waits, has started, or has new parts of its output or new log lines. */
const INTERIM_EVENTS = ['task.queued', 'task.started', 'task.output', 'task.logs'] as const

type InterimEvent = (typeof INTERIM_EVENTS)[number]

/** All events of tasks. */
export const TASK_EVENTS = [...END_EVENTS, ...INTERIM_EVENTS] as const

/** An event of a task, whatever a service calls it. */
export type TaskEvent = EndEvent | InterimEvent

const ENDS: ReadonlySet<TaskEvent> = new Set(END_EVENTS)

/** Whether an event announces the end of a task. */
export function isEndEvent(event: TaskEvent): event is EndEvent {
  return ENDS.has(event)
}

const BY_END: ReadonlyMap<string, EndEvent> = new Map(
  END_EVENTS.map((event) => [event.slice('task.'.length), event]),
)

/** The event of a task that ends this way; undefined if it never ends. */
export function eventOfEnd(end: Outcome | Status): EndEvent | undefined {
  return BY_END.get(end)
}

/** The names of events in files and requests. The event of a canceled task has two spellings. */
export const EVENT_NAMES = [...TASK_EVENTS, 'task.cancelled'] as const

/** The names of the events of ended tasks. */
export const END_EVENT_NAMES = [...END_EVENTS, 'task.cancelled'] as const

/** The name of an event. */
export type EventName = (typeof EVENT_NAMES)[number]

/** The spelling of the event of a canceled task; `none` sends no event. */
export type CanceledEvent = 'task.canceled' | 'task.cancelled' | 'none'
