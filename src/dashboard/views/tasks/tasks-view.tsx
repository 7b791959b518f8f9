import { place } from '../../state/place.js'
import { book, isLoading, taskVersion } from '../../state/session.js'
import { TaskFilters } from './task-filters.js'
import { TaskList } from './task-list.js'
import { TaskPage } from './task-page.js'
import { Welcome } from './welcome.js'

/** The list of tasks, and beside it the one that was chosen. */
export function TasksView() {
  const { id } = place.value
  taskVersion.value
  const isEmpty = book.size === 0 && !isLoading.value
  if (isEmpty && id === undefined) return <Welcome />
  return (
    <div class={`split${id === undefined ? '' : ' split-open'}`}>
      <section class="split-list" aria-label="Tasks">
        <TaskFilters />
        <TaskList />
      </section>
      <section class="split-page" aria-label="Task">
        {id === undefined ? (
          <p class="hint">Choose a task to see its timeline, its output and what was said about it.</p>
        ) : (
          <TaskPage key={id} id={id} />
        )}
      </section>
    </div>
  )
}
