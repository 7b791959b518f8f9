import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { LastAnswer } from '../../engine/requests/request-policy.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Entry } from './entry.js'
import type { Journal } from './journal.js'

/** The last answer about a task that its client received under the active scenario, if the journal has it. */
export function lastAnswerAbout(
  { id, erasedAt }: Pick<Task, 'id' | 'erasedAt'>,
  journal: Journal,
): LastAnswer | undefined {
  const { entries } = journal.list({
    limit: 1,
    matches: (entry) =>
      isScenarioChange(entry) ||
      (entry.type === 'request' && entry.request.taskId === id && shownIn(entry.request) !== undefined),
  })
  const [last] = entries
  if (last?.type !== 'request' || (erasedAt ?? -Infinity) >= last.request.answeredAt) return undefined
  return shownIn(last.request)
}

/** Whether an entry is the change of the active scenario, which forgets all answers. */
export function isScenarioChange(entry: Entry): boolean {
  return entry.type === 'control' && entry.what === 'scenario'
}

/**
 * The state of its task that the answer to a request has shown to the client; undefined if it has shown none. An answer
 * that shows an earlier state does not count.
 */
export function shownIn({
  operation,
  status: code,
  delivered,
  answeredAt: at,
  taskId,
  note,
}: Pick<AnsweredRequest, 'operation' | 'status' | 'delivered' | 'answeredAt' | 'taskId' | 'note'>):
  | LastAnswer
  | undefined {
  if (operation === 'files.download' || operation === 'tasks.list' || operation === 'tasks.stream')
    return undefined
  if (code === 0 || code >= 300 || !delivered || isStale(note)) return undefined
  const status = note.observed?.find(({ id }) => id === taskId)?.status
  return status && { status, at }
}

function isStale({ cause }: AnsweredRequest['note']): boolean {
  return cause !== undefined && 'fault' in cause && cause.fault.stale === true
}
