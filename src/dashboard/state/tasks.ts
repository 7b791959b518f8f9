import { computed } from '@preact/signals'
import { createTaskStore } from '../model/tasks/task-store.js'
import { listOf } from './list.js'
import { linkTo, route } from './route.js'

/** The tasks of the page. */
export const taskList = listOf(createTaskStore(), 'status')

/** The link to a task or, without one, to the list, with the current filter. */
export function taskLink(id: string | undefined, more: Readonly<Record<string, string>> = {}): string {
  return linkTo({ view: 'tasks', id, query: { ...taskList.conditions.value, ...more } })
}

/** The status of the open task; undefined if no known task is open. */
export const openTaskStatus = computed(() => {
  taskList.version.value
  const { view, id = '' } = route.value
  return view === 'tasks' ? taskList.store.get(id)?.status : undefined
})
