import type { AnsweredRequest } from '../../engine/events.js'
import { maskUrlsIn } from '../../engine/webhooks/mask-url.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { EntryShape, RequestShape } from '../shapes.js'
import { briefShape } from '../tasks/brief-shape.js'
import { deliveryShape } from '../webhooks/delivery-shape.js'
import { receiverShape } from '../webhooks/receiver-shape.js'

/** A line of the journal as the control API shows it. */
export function entryShape(entry: Entry): EntryShape {
  const { number } = entry
  const at = new Date(entry.at).toISOString()
  switch (entry.type) {
    case 'request':
      return { number, at, type: 'request', ...requestShape(entry.request) }
    case 'task': {
      const { id, held: _, ...brief } = briefShape(entry.task, false)
      return { number, at, type: 'task', task_id: id, ...brief, rule: entry.task.plan.rule }
    }
    case 'delivery':
      return {
        number,
        at,
        type: 'delivery',
        attempt: entry.attempt?.number,
        delivery: deliveryShape(entry.delivery),
      }
    case 'receiver':
      return { number, at, type: 'receiver', receiver: receiverShape(entry.receiver) }
    case 'control':
      return { number, at, type: 'control', what: entry.what }
    case 'observation': {
      const { taskId, ...observed } = entry.observation
      return { number, at, type: 'observation', task_id: taskId, ...observed }
    }
  }
}

function requestShape({
  at: _,
  answeredAt: __,
  took,
  taskId,
  retryAfter,
  note,
  ...request
}: AnsweredRequest): RequestShape {
  return {
    ...request,
    task_id: taskId,
    retry_after_ms: retryAfter,
    took_ms: Math.round(took * 1_000) / 1_000,
    request_body: note.requestBody && maskUrlsIn(note.requestBody),
    response_body: note.responseBody,
  }
}
