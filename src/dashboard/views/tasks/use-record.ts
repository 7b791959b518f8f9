import { useRef } from 'preact/hooks'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { type Fetched, useFetched } from '../../state/fetched.js'
import { control, lastChange } from '../../state/session.js'

const MAX_ENTRIES = 1_000

/** A task with its requests and deliveries, kept up to date. */
export function useRecord(id: string): Fetched<TaskRecord> {
  const { value: change } = lastChange
  const latest = useRef(change)
  if (change.all || change.tasks.has(id)) latest.current = change
  return useFetched(`task ${id}`, latest.current, () => fetchRecord(id))
}

async function fetchRecord(id: string): Promise<TaskRecord> {
  const { tasks, journal, deliveries } = control.value
  const [task, lines, sent] = await Promise.all([
    tasks.get(id),
    journal.list({ task: id, limit: MAX_ENTRIES }),
    deliveries.list({ task: id, limit: 100 }),
  ])
  return { task, entries: [...lines.data].reverse(), deliveries: sent.data }
}

/** Why a task may not exist any more. */
export const WHY_GONE = 'A reset or a restart of the server deletes all tasks.'
