import { route } from '../../state/route.js'
import { isLoading, taskStore, taskVersion } from '../../state/session.js'
import { TaskFilters } from './task-filters.js'
import { TaskList } from './task-list.js'
import { TaskPage } from './task-page.js'
import { Welcome } from './welcome.js'

/** The task list and the selected task. */
export function TasksView() {
  const { id } = route.value
  taskVersion.value
  const isEmpty = taskStore.size === 0 && !isLoading.value
  if (isEmpty && id === undefined) return <Welcome />
  return (
    <div class={`split${id === undefined ? '' : ' split-open'}`}>
      <section class="split-list" aria-label="Tasks">
        <TaskFilters />
        <TaskList />
      </section>
      <section class="split-page" aria-label="Task">
        {id === undefined ? (
          <p class="hint">Select a task to see its timeline, output, webhooks and requests.</p>
        ) : (
          <TaskPage key={id} id={id} />
        )}
      </section>
    </div>
  )
}
