import type { Status } from '../engine/tasks/task.js'
import type { AnswerShape } from './dialect.js'

/** The id and the state of a task, as far as an answer says them. */
interface AnsweredTask {
  readonly id: string | undefined
  readonly status: Status | undefined
}

/** Reads a task in an answer of a service. */
export function answeredTask(task: Readonly<Record<string, unknown>>, shape: AnswerShape): AnsweredTask {
  const id = task[shape.id]
  return {
    id: typeof id === 'string' ? id.slice(id.lastIndexOf('/') + 1) : undefined,
    status: statusOf(task, shape),
  }
}

function statusOf(
  task: Readonly<Record<string, unknown>>,
  { status, words, marks, id }: AnswerShape,
): Status | undefined {
  const word = task[status]
  if (typeof word === 'string' && Object.hasOwn(words, word)) return words[word]
  if (marks === undefined || task[id] === undefined) return undefined
  const hasMarks = (state: Status) => marks[state]?.every((field) => task[field] !== undefined) === true
  return ENDS.find(hasMarks) ?? 'processing'
}

/** A canceled task may look like one that has failed. */
const ENDS = ['succeeded', 'failed', 'canceled', 'processing'] as const
