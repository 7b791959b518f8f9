import type { JsonObject, Task } from '../task/task.js'

/** The kind of event that a task's end makes, by the state it ends in. */
export const EVENTS = {
  succeeded: 'task.succeeded',
  failed: 'task.failed',
  canceled: 'task.canceled',
} as const

/** How the scenario wants the event of a canceled task to be called; `none` sends none. */
export type CanceledEvent = typeof EVENTS.canceled | 'task.cancelled' | 'none'

/** The name of the event for a task that has ended, or undefined where none is sent. */
export function eventOf(task: Task, canceledEvent: CanceledEvent): string | undefined {
  switch (task.status) {
    case 'succeeded':
    case 'failed':
      return EVENTS[task.status]
    case 'canceled':
      return canceledEvent === 'none' ? undefined : canceledEvent
    default:
      return undefined
  }
}

const encoder = new TextEncoder()

/** The body of a webhook: made once, so that every receiver and every retry gets the same bytes. */
export function webhookBody(
  event: string,
  task: Task,
  output: JsonObject | undefined,
): Uint8Array<ArrayBuffer> {
  const { id, status, error } = task
  const outcome = status === 'failed' ? { error } : { output }
  return encoder.encode(JSON.stringify({ event, task: { id, status, ...outcome } }))
}
