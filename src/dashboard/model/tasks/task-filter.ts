import type { TaskBriefShape } from '../../../control/shapes.js'
import { wordsTest } from '../words-test.js'

/** The states of tasks, in the order of the counts. */
export const TASK_STATES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const

/** The conditions on tasks, as in the address. An empty one matches all. */
export interface TaskFilter {
  readonly status: string
  readonly kind: string
  readonly model: string
  readonly dialect: string
  readonly key: string
  /** Words that must all occur in the id, model, prompt, error or key. */
  readonly text: string
}

export const NO_TASK_FILTER: TaskFilter = { status: '', kind: '', model: '', dialect: '', key: '', text: '' }

/** Reads the conditions from the query in the address. */
export function taskFilterIn(query: Readonly<Record<string, string>>): TaskFilter {
  const { status = '', kind = '', model = '', dialect = '', key = '', text = '' } = query
  return { status, kind, model, dialect, key, text }
}

/** The number of tasks in each state. */
export function countTaskStates(tasks: readonly TaskBriefShape[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of tasks) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Whether a filter matches all tasks. */
export function isEmptyTaskFilter(filter: TaskFilter): boolean {
  return Object.values(filter).every((value) => value.trim() === '')
}

/** Compiles a filter into a predicate. */
export function taskTest({
  status,
  kind,
  model,
  dialect,
  key,
  text,
}: TaskFilter): (task: TaskBriefShape) => boolean {
  const hasWords = wordsTest(text)
  return (task) => {
    if (status === 'held' ? !task.held : status !== '' && task.status !== status) return false
    if (kind !== '' && task.kind !== kind) return false
    if (model !== '' && task.model !== model) return false
    if (dialect !== '' && task.dialect !== dialect) return false
    if (key !== '' && task.key !== key) return false
    return hasWords(() => `${task.id} ${task.model} ${task.prompt} ${task.error ?? ''} ${task.key}`)
  }
}
