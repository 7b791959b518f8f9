import { isJsonObject, type JsonObject } from '../engine/json.js'
import type { Status } from '../engine/tasks/task.js'
import type { AnswerShape } from './dialect.js'
import { hasPath } from './has-path.js'

/** The id and the state of a task, as far as an answer says them. */
interface AnsweredTask {
  readonly id: string | undefined
  readonly status: Status | undefined
  /** The word of its state, if the dialect does not know it. */
  readonly unknownWord?: string | undefined
}

/** The tasks in an answer of a service: the task that it is or contains, or the tasks that it lists. */
export function answeredTasks(body: JsonObject, { list, task }: AnswerShape): JsonObject[] {
  const listed = body[list]
  const one = (task === undefined ? undefined : body[task]) ?? body
  return (Array.isArray(listed) ? listed : [one]).filter(isJsonObject)
}

/** Reads a task in an answer of a service. */
export function answeredTask(task: Readonly<Record<string, unknown>>, shape: AnswerShape): AnsweredTask {
  const id = task[shape.id]
  return {
    id: typeof id === 'string' ? id.slice(id.lastIndexOf('/') + 1) : undefined,
    status: statusOf(task, shape),
    unknownWord: unknownWordOf(task, shape),
  }
}

function statusOf(
  task: Readonly<Record<string, unknown>>,
  { status, words, marks, id }: AnswerShape,
): Status | undefined {
  const word = task[status]
  if (typeof word === 'string' && Object.hasOwn(words, word)) return words[word]
  if (marks === undefined || task[id] === undefined) return undefined
  return marks.find(({ paths }) => paths.every((path) => hasPath(task, path)))?.status ?? 'processing'
}

function unknownWordOf(
  task: Readonly<Record<string, unknown>>,
  { status, words, marks, id }: AnswerShape,
): string | undefined {
  const word = task[status]
  if (typeof word !== 'string' || marks !== undefined || typeof task[id] !== 'string') return undefined
  return Object.hasOwn(words, word) ? undefined : word
}
