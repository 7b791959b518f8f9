import type { JsonObject } from '../json.js'
import type { Status, Task } from '../tasks/task.js'

/** The event of a task's end, by its final state. */
export const EVENTS = {
  succeeded: 'task.succeeded',
  failed: 'task.failed',
  canceled: 'task.canceled',
} as const

/** The name of an event. The event of a canceled task has two spellings. */
export type EventName = (typeof EVENT_NAMES)[number]
export const EVENT_NAMES = [...Object.values(EVENTS), 'task.cancelled'] as const

/** The spelling of the event of a canceled task; `none` sends no event. */
export type CanceledEvent = typeof EVENTS.canceled | 'task.cancelled' | 'none'

/** Whether two names mean the same event, in any spelling. */
export function isSameEvent(one: string, other: string): boolean {
  return one === other || (one.startsWith('task.cancel') && other.startsWith('task.cancel'))
}

/** The event of a task that has ended in a state; undefined if none is sent. */
export function eventOf(status: Status, canceledEvent: CanceledEvent): EventName | undefined {
  switch (status) {
    case 'succeeded':
    case 'failed':
      return EVENTS[status]
    case 'canceled':
      return canceledEvent === 'none' ? undefined : canceledEvent
    default:
      return undefined
  }
}

const encoder = new TextEncoder()

/** Writes the body of a webhook. Call it once per event, so that all receivers and retries get the same bytes. */
export function webhookBody(
  event: string,
  { id, status, error }: Pick<Task, 'id' | 'status' | 'error'>,
  output: JsonObject | undefined,
): Uint8Array<ArrayBuffer> {
  const outcome = status === 'failed' ? { error } : { output }
  return encoder.encode(JSON.stringify({ event, task: { id, status, ...outcome } }))
}

const EXAMPLE_ID = 'task_000000000000000000000000'

/** An example of an event, of a task that does not exist. */
export function exampleOf(event: EventName): { taskId: string; body: Uint8Array<ArrayBuffer> } {
  const status = event === 'task.cancelled' ? 'canceled' : (event.slice('task.'.length) as Status)
  const error = { code: 'generation_failed', message: 'The generation could not be completed.' }
  const output = { images: ['https://example.com/files/0.png'] }
  const body = webhookBody(
    event,
    { id: EXAMPLE_ID, status, error },
    status === 'succeeded' ? output : undefined,
  )
  return { taskId: EXAMPLE_ID, body }
}
