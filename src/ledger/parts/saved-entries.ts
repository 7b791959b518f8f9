import type { AnsweredRequest } from '../../engine/events.js'
import { KeptHeaders } from '../../engine/requests/kept-headers.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { Entry } from '../../inspect/journal/entry.js'
import type { RowContent } from '../state-part.js'
import { BytesReader, BytesWriter } from './bytes-list.js'
import { readAttempts, writeAttempts } from './saved-delivery.js'

type Bytes = RowContent['bytes']

/** Writes entries of the journal as plain data, with the bytes of webhooks separately. */
export function writeEntries(entries: readonly Entry[]): { readonly value: object; readonly bytes: Bytes } {
  const writer = new BytesWriter()
  const saved = entries.map((entry) => writeEntry(entry, writer))
  return { value: { entries: saved }, bytes: writer.bytes }
}

/** Reads the entries of {@link writeEntries}. */
export function readEntries(value: { readonly entries: readonly unknown[] }, bytes: Bytes): Entry[] {
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

// biome-ignore lint/suspicious/noExplicitAny: it reads what writeEntry has written
function readEntry(entry: any, reader: BytesReader): Entry {
  switch (entry.type) {
    case 'request':
      return { ...entry, request: readRequest(entry.request) }
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

// biome-ignore lint/suspicious/noExplicitAny: it reads what writeRequest has written
function readRequest(request: any): AnsweredRequest {
  const { headers } = request.note
  if (headers === undefined) return request
  const kept = new KeptHeaders(headers.request, headers.response, headers.keyHeader, headers.secrets)
  return { ...request, note: { ...request.note, headers: kept } }
}

function withoutCourse(task: Task): object {
  const { recorded: _, ...plan } = task.plan
  return { ...task, plan }
}

function writeDelivery(delivery: Delivery, writer: BytesWriter): object {
  return { ...delivery, payload: writer.add(delivery.payload), attempts: writeAttempts(delivery, writer) }
}

// biome-ignore lint/suspicious/noExplicitAny: it reads what writeDelivery has written
function readDelivery(delivery: any, reader: BytesReader): Delivery {
  const payload = reader.get(delivery.payload)
  return { ...delivery, payload, attempts: readAttempts(delivery.attempts, payload, reader) }
}
