import { END_EVENTS, TASK_EVENTS } from '../webhooks/events/task-event.js'

/** The names of events in files and requests. The event of a canceled task has two spellings. */
export const EVENT_NAMES = [...TASK_EVENTS, 'task.cancelled'] as const
/** The names of the events of ended tasks. */
export const END_EVENT_NAMES = [...END_EVENTS, 'task.cancelled'] as const
/** The name of an event. */
export type EventName = (typeof EVENT_NAMES)[number]

/** The spelling of the event of a canceled task; `none` sends no event. */
export type CanceledEvent = 'task.canceled' | 'task.cancelled' | 'none'
