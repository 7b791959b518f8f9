import { count, totalOf } from '../../model/format.js'
import { simulator } from '../../state/session.js'
import { isLoadingTasks, taskStore, taskVersion } from '../../state/tasks.js'

/** The page may not have received this many of the latest tasks yet. */
const FEW = 100

/** Says that the list, and thus its counts, do not have all tasks of the server; nothing if they do. */
export function Completeness() {
  taskVersion.value
  const all = totalOf(simulator.value?.tasks ?? {})
  if (all - taskStore.size < FEW) return null
  return (
    <p class="hint completeness">
      {isLoadingTasks.value
        ? `Loading: ${count(taskStore.size)} of ${count(all)} tasks`
        : `The latest ${count(taskStore.size)} of ${count(all)} tasks`}
    </p>
  )
}
