import type { TaskBriefShape } from '../../control/shapes.js'

/** Which tasks to show; what is empty leaves all. */
export interface TaskFilter {
  readonly status: string
  readonly kind: string
  readonly model: string
  readonly key: string
  /** Words that must all be somewhere in a task's line. */
  readonly text: string
}

export const NO_FILTER: TaskFilter = { status: '', kind: '', model: '', key: '', text: '' }

/** Whether a filter lets everything through. */
export function isOpen(filter: TaskFilter): boolean {
  return Object.values(filter).every((value) => value.trim() === '')
}

/** Makes the test of a filter, once for many tasks. */
export function filterTest({
  status,
  kind,
  model,
  key,
  text,
}: TaskFilter): (task: TaskBriefShape) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return (task) => {
    if (status === 'held' ? !task.held : status !== '' && task.status !== status) return false
    if (kind !== '' && task.kind !== kind) return false
    if (model !== '' && task.model !== model) return false
    if (key !== '' && task.key !== key) return false
    if (words.length === 0) return true
    const line = `${task.id} ${task.model} ${task.prompt} ${task.error ?? ''} ${task.key}`.toLowerCase()
    return words.every((word) => line.includes(word))
  }
}
