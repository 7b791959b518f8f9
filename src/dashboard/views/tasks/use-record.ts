import { useRef } from 'preact/hooks'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { type Fetched, useFetched } from '../../state/fetched.js'
import { control, lastChange } from '../../state/session.js'

const MAX_ENTRIES = 1_000

/** A task with its requests and deliveries, kept up to date; `version` increases with each change. */
export function useRecord(id: string): Fetched<TaskRecord> & { readonly version: number } {
  const version = useRef(0)
  const { tasks, all } = lastChange.value
  const seen = useRef(lastChange.value)
  if (seen.current !== lastChange.value) {
    seen.current = lastChange.value
    if (all || tasks.has(id)) version.current += 1
  }
  return {
    ...useFetched(`task ${id}`, version.current, () => fetchRecord(id)),
    version: version.current,
  }
}

async function fetchRecord(id: string): Promise<TaskRecord> {
  const { tasks, journal, deliveries } = control.value
  const [task, request, lines, sent] = await Promise.all([
    tasks.get(id),
    tasks.request(id, { code: 'true' }),
    journal.list({ task: id, limit: MAX_ENTRIES }),
    deliveries.list({ task: id, limit: 100 }),
  ])
  return { task, request, entries: [...lines.data].reverse(), deliveries: sent.data }
}
