import type { AnsweredRequest } from '../../engine/events.js'
import { bytesOfDelivery, bytesOfJson, bytesOfResult, bytesOfText } from '../../engine/memory/bytes-of.js'
import { promptOf } from '../../engine/tasks/prompt.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'

const ENTRY = 400
/** An input or an output with more bytes than this is not kept in an entry. */
const MOST_OF_TASK = 4_096

/** A task as the journal keeps it: of a large input, only the beginning of its prompt. */
export function withoutBulk(task: Task): Task {
  const isSmall = task.inputBytes <= MOST_OF_TASK && bytesOfResult(task) <= MOST_OF_TASK
  if (isSmall) return task
  const { result } = task
  const input = { prompt: promptOf(task.input) }
  return {
    ...task,
    input,
    inputBytes: bytesOfJson(input),
    result: result && { ...result, output: undefined },
  }
}

/** The bytes that an entry retains, as an estimate. */
export function bytesOfEntry(entry: Entry): number {
  switch (entry.type) {
    case 'request':
      return ENTRY + bytesOfRequest(entry.request)
    case 'task':
      return ENTRY + entry.task.inputBytes + bytesOfResult(entry.task)
    case 'delivery':
      return ENTRY + bytesOfDelivery(entry.delivery)
    case 'observation':
      return ENTRY + bytesOfText(entry.observation.taskId) + bytesOfText(entry.observation.by)
    default:
      return ENTRY
  }
}

function bytesOfRequest({ path, query, note }: AnsweredRequest): number {
  const fields = note.unknownFields?.reduce((sum, name) => sum + name.length, 0) ?? 0
  return path.length + query.length + fields + bytesOfText(note.requestBody) + bytesOfText(note.responseBody)
}
