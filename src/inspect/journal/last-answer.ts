import type { AnsweredRequest } from '../../engine/events.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'
import type { Journal } from './journal.js'

/** The last answer about a task that its client received under the active scenario, if the journal has it. */
export function lastAnswerAbout(
  { id, erasedAt }: Pick<Task, 'id' | 'erasedAt'>,
  journal: Journal,
): string | undefined {
  const { entries } = journal.list({
    limit: 1,
    matches: (entry) =>
      isScenarioChange(entry) ||
      (entry.type === 'request' && entry.request.taskId === id && isAnswerAboutTask(entry.request)),
  })
  const [last] = entries
  if (last?.type !== 'request' || (erasedAt ?? -Infinity) >= last.request.answeredAt) return undefined
  return last.request.note.responseBody
}

/** Whether an entry is the change of the active scenario, which forgets all answers. */
export function isScenarioChange(entry: Entry): boolean {
  return entry.type === 'control' && entry.what === 'scenario'
}

/** Whether a request got an answer about its task, whose text the journal has. */
export function isAnswerAboutTask({ operation, status, delivered, note }: AnsweredRequest): boolean {
  if (operation === 'files.download' || status === 0 || status >= 300 || !delivered) return false
  if (note.responseBody === undefined) return false
  const type = note.headers?.masked(({ response }) => String(response['content-type']))
  return type === undefined || !type.startsWith('text/event-stream')
}
