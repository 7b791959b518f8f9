import type { AnswerCause } from '../../engine/requests/answer-cause.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { KeptHeaders } from '../../engine/requests/headers.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { RowValue } from '../rows/check-row.js'
import type { RowContent } from '../state-part.js'
import { BytesReader, BytesWriter } from './bytes-list.js'
import { readReceiver } from './receivers.js'
import { readDelivery, writeAttempts } from './saved-delivery.js'
import { readTask } from './saved-task.js'

type Bytes = RowContent['bytes']
type SavedEntry = RowValue<'journal'>['entries'][number]
type Saved<Type extends SavedEntry['type']> = Extract<SavedEntry, { readonly type: Type }>

/** Writes entries of the journal as plain data, with the bytes of webhooks separately. */
export function writeEntries(entries: readonly Entry[]): { readonly value: object; readonly bytes: Bytes } {
  const writer = new BytesWriter()
  const saved = entries.map((entry) => writeEntry(entry, writer))
  return { value: { entries: saved }, bytes: writer.bytes }
}

/** Reads the entries of {@link writeEntries}. */
export function readEntries(value: RowValue<'journal'>, bytes: Bytes): Entry[] {
  const reader = new BytesReader(bytes)
  return value.entries.map((entry) => readEntry(entry, reader))
}

function writeEntry(entry: Entry, writer: BytesWriter): unknown {
  switch (entry.type) {
    case 'request':
      return { ...entry, request: writeRequest(entry.request) }
    case 'task':
      return entry.task.plan.recorded === undefined ? entry : { ...entry, task: withoutCourse(entry.task) }
    case 'delivery':
      return { ...entry, delivery: writeDelivery(entry.delivery, writer), attempt: entry.attempt?.number }
    default:
      return entry
  }
}

function readEntry(entry: SavedEntry, reader: BytesReader): Entry {
  switch (entry.type) {
    case 'request':
      return { ...entry, request: readRequest(entry.request) }
    case 'task':
      return { ...entry, task: readTask(entry.task, entry.task, undefined) }
    case 'receiver':
      return { ...entry, receiver: readReceiver(entry.receiver) }
    case 'delivery': {
      const delivery = readDelivery(entry.delivery, reader)
      const attempt = delivery.attempts.find(({ number }) => number === entry.attempt)
      return { ...entry, delivery, attempt }
    }
    default:
      return entry
  }
}

/** The headers are saved as they were sent, because the ledger has the API keys of the tasks as well. */
function writeRequest(request: AnsweredRequest): object {
  const { headers } = request.note
  if (headers === undefined) return request
  const saved = headers.masked(({ request: sent, ...rest }) => ({
    request: Symbol.iterator in sent ? [...sent] : sent,
    ...rest,
  }))
  return { ...request, note: { ...request.note, headers: saved } }
}

function readRequest(saved: Saved<'request'>['request']): AnsweredRequest {
  const { headers, cause, ...note } = saved.note
  return {
    id: saved.id,
    at: saved.at,
    realAt: saved.realAt,
    answeredAt: saved.answeredAt,
    method: saved.method,
    path: saved.path,
    query: saved.query,
    dialect: saved.dialect,
    operation: saved.operation,
    status: saved.status,
    delivered: saved.delivered,
    retryAfter: saved.retryAfter,
    key: saved.key,
    taskId: saved.taskId,
    fault: saved.fault,
    took: saved.took,
    note: {
      ...note,
      ...(cause && { cause: readCause(cause) }),
      ...(headers && {
        headers: new KeptHeaders(headers),
      }),
    },
  }
}

function readCause(saved: NonNullable<Saved<'request'>['request']['note']['cause']>): AnswerCause {
  if ('fault' in saved) return saved
  const { code, cause, message, param, limit, known } = saved
  return { code, cause, message, param, limit, known }
}

function withoutCourse(task: Task): object {
  const { recorded: _, ...plan } = task.plan
  return { ...task, plan }
}

function writeDelivery(delivery: Delivery, writer: BytesWriter): object {
  return { ...delivery, payload: writer.add(delivery.payload), attempts: writeAttempts(delivery, writer) }
}
