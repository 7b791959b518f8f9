import type { AnsweredRequest } from '../../engine/events.js'
import { maskUrlsIn } from '../../engine/mask.js'
import type { Entry } from '../../inspect/journal/entry.js'
import { instant } from '../instant.js'
import type { EntryShape, RequestEntryShape } from '../shapes.js'
import { briefShape } from '../tasks/task-shape.js'
import { deliveryShape } from '../webhooks/delivery-shape.js'
import { receiverShape } from '../webhooks/receiver-shape.js'
import { decisionOf } from './decision.js'
import { requestHeaders, responseHeaders } from './shown-headers.js'

/**
 * A journal entry as JSON.
 * @param options `isBrief`: whether to leave out headers and bodies
 */
export function entryShape(entry: Entry, { isBrief = false } = {}): EntryShape {
  const { number } = entry
  const at = instant(entry.at)
  switch (entry.type) {
    case 'request':
      return {
        number,
        at,
        type: 'request',
        ...requestShape(entry.request),
        ...(!isBrief && contentShape(entry.request)),
      }
    case 'task': {
      const { id, held: _, ...brief } = briefShape(entry.task, false)
      return { number, at, type: 'task', task_id: id, ...brief, rule: entry.task.plan.rule }
    }
    case 'forgotten':
      return { number, at, type: 'forgotten', task_id: entry.taskId, reason: entry.reason }
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
      return { number, at, type: 'control', what: entry.what, task_id: entry.taskId }
    case 'observation': {
      const { taskId, ...observed } = entry.observation
      return { number, at, type: 'observation', task_id: taskId, ...observed }
    }
  }
}

function requestShape(answered: AnsweredRequest): Omit<RequestEntryShape, 'number' | 'at' | 'type'> {
  const { at, realAt: _, answeredAt, took, taskId, retryAfter, note: __, ...request } = answered
  return {
    ...request,
    task_id: taskId,
    retry_after_ms: retryAfter,
    decided_by: decisionOf(answered),
    took_ms: Math.round(took * 1_000) / 1_000,
    held_ms: answeredAt - at,
  }
}

function contentShape({ note }: AnsweredRequest): Partial<RequestEntryShape> {
  return {
    request_headers: requestHeaders(note),
    response_headers: responseHeaders(note),
    request_body: note.requestBody && maskUrlsIn(note.requestBody),
    response_body: note.responseBody,
  }
}
