import type { AnsweredRequest } from '../../core/events.js'
import type { Entry } from '../../core/journal/journal.js'
import type { Task } from '../../core/task/task.js'
import { mask } from '../authenticate.js'
import { instant } from './instant.js'
import { deliveryBody } from './webhooks/delivery-body.js'
import { receiverBody } from './webhooks/receiver-body.js'

/** A line of the journal as the control API shows it. */
export function entryBody(entry: Entry): object {
  const head = { number: entry.number, at: instant(entry.at), type: entry.type }
  switch (entry.type) {
    case 'request':
      return { ...head, ...requestBody(entry.request) }
    case 'task':
      return { ...head, ...taskFields(entry.task) }
    case 'delivery':
      return { ...head, attempt: entry.attempt?.number, delivery: deliveryBody(entry.delivery) }
    case 'receiver':
      return { ...head, receiver: receiverBody(entry.receiver) }
    case 'control':
      return { ...head, what: entry.what }
    case 'observation': {
      const { taskId, ...observed } = entry.observation
      return { ...head, task_id: taskId, ...observed }
    }
  }
}

function requestBody({ took, taskId, retryAfter, answeredAt, note, ...request }: AnsweredRequest): object {
  return {
    ...request,
    at: undefined,
    answered_at: answeredAt === request.at ? undefined : instant(answeredAt),
    task_id: taskId,
    retry_after_ms: retryAfter,
    took_ms: Math.round(took * 1_000) / 1_000,
    request_body: note.requestBody && new TextDecoder().decode(note.requestBody),
    response_body: note.responseBody,
  }
}

function taskFields({ id, model, kind, owner, status, plan }: Task): object {
  return { task_id: id, model, kind, key: mask(owner), status, rule: plan.rule }
}
