import { Icon } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { route } from '../../state/route.js'
import { isLoadingTasks, taskLink, taskStore, taskVersion } from '../../state/tasks.js'
import { Overview } from '../overview/overview.js'
import { TaskFilters } from './task-filters.js'
import { TaskList } from './task-list.js'
import { TaskPage } from './task-page.js'
import { Welcome } from './welcome.js'

/** On narrow pages, the list and the pane do not fit side by side: this value of `pane` shows the overview. */
const OVERVIEW = 'overview'

const Comparison = lazy(
  'The comparison',
  async () => (await import('../comparison/comparison.js')).Comparison,
)

/** The task list and the selected task. */
export function TasksView() {
  const { id, query } = route.value
  const isPaneOpen = id !== undefined || query['pane'] === OVERVIEW
  taskVersion.value
  const isEmpty = taskStore.size === 0 && !isLoadingTasks.value
  if (isEmpty && id === undefined) return <Welcome />
  return (
    <div class={`split${isPaneOpen ? ' split-open' : ''}`}>
      <section class="split-list" aria-label="Tasks">
        <a
          class={`to-overview${id === undefined ? ' to-overview-shown' : ''}`}
          href={taskLink(undefined, { pane: OVERVIEW })}
        >
          <Icon name="overview" /> Overview
        </a>
        <TaskFilters />
        <TaskList />
      </section>
      <section class="split-page" aria-label={id === undefined ? 'Overview' : 'Task'}>
        {id === undefined ? <Overview /> : <OpenTask id={id} second={query['compare']} />}
      </section>
    </div>
  )
}

/** A task, alone or compared with a second one. */
function OpenTask({ id, second }: { readonly id: string; readonly second: string | undefined }) {
  return second === undefined ? <TaskPage key={id} id={id} /> : <Comparison ids={[id, second]} />
}
