import { bytesOf, bytesOfDelivery, bytesOfResult } from '../../engine/memory/bytes-of.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { promptOf } from '../../engine/tasks/input.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'

const ENTRY_BYTES = 400
/** The journal stores inputs and outputs up to this size, in bytes. */
const MAX_TASK_BYTES = 4_096

/** Copies a task for the journal. The copy of a large task has no output, and only the start of the prompt as input. */
export function compactTask(task: Task): Task {
  const isSmall = task.inputBytes <= MAX_TASK_BYTES && bytesOfResult(task) <= MAX_TASK_BYTES
  if (isSmall) return task
  const { result } = task
  const input = { prompt: promptOf(task.input) }
  return {
    ...task,
    input,
    inputBytes: bytesOf(input),
    result: result && { ...result, output: undefined },
  }
}

/** Estimates the memory that an entry retains, in bytes. */
export function bytesOfEntry(entry: Entry): number {
  switch (entry.type) {
    case 'request':
      return ENTRY_BYTES + bytesOfRequest(entry.request)
    case 'task':
      return ENTRY_BYTES + entry.task.inputBytes + bytesOfResult(entry.task)
    case 'delivery':
      return ENTRY_BYTES + bytesOfDelivery(entry.delivery)
    case 'observation':
      return ENTRY_BYTES + bytesOf(entry.observation)
    default:
      return ENTRY_BYTES
  }
}

function bytesOfRequest({ path, query, note }: AnsweredRequest): number {
  const { requestBody, responseBody, cause, headers, unknownFields } = note
  let bytes = path.length + query.length + bytesOf(requestBody) + bytesOf(responseBody)
  if (cause !== undefined && 'message' in cause)
    bytes += bytesOf(cause.message) + bytesOf(cause.known?.reason)
  if (unknownFields !== undefined) bytes += bytesOf(unknownFields)
  return headers === undefined ? bytes : bytes + headers.bytes
}
