import { count } from '../../model/format.js'
import { simulator } from '../../state/session.js'
import { isLoadingTasks, taskStore, taskVersion } from '../../state/tasks.js'

/** So few tasks may just not have arrived yet. */
const FEW = 100

/** Says that the list, and thus its counts, do not have all tasks of the server; nothing if they do. */
export function Completeness() {
  taskVersion.value
  const all = Object.values(simulator.value?.tasks ?? {}).reduce((sum, each) => sum + each, 0)
  if (all - taskStore.size < FEW) return null
  return (
    <p class="hint completeness">
      {isLoadingTasks.value
        ? `Loading: ${count(taskStore.size)} of ${count(all)} tasks`
        : `The latest ${count(taskStore.size)} of ${count(all)} tasks`}
    </p>
  )
}
