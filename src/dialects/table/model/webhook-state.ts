import type { TaskEvent } from '../../../engine/webhooks/events/task-event.js'

type WithoutPrefix<Event> = Event extends `task.${infer State}` ? State : never

/** The event of a webhook, as dialect files name it: what has happened to the task. */
export type WebhookState = WithoutPrefix<TaskEvent>

/** How dialect files name an event. */
export function stateOf(event: TaskEvent): WebhookState {
  return event.slice('task.'.length) as WebhookState
}
