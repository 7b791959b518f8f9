import { NO_TASK_FILTER } from '../../model/tasks/task-filter.js'
import { Button } from '../../parts/button.js'
import { Empty } from '../../parts/empty.js'
import { VirtualList } from '../../parts/virtual-list.js'
import { navigate, route } from '../../state/route.js'
import { filteredTasks, isLoadingTasks, setTaskFilter, taskFilter, taskStore } from '../../state/tasks.js'
import { Refusals } from '../requests/refusals.js'
import { TaskRow } from './task-row.js'

/** The tasks that match the filter. */
export function TaskList() {
  const tasks = filteredTasks.value
  if (tasks.length === 0 && !isLoadingTasks.value) return taskStore.size === 0 ? <NoTasks /> : <NoMatches />
  return (
    <VirtualList
      items={tasks}
      label="Tasks, newest first"
      openId={route.value.id}
      onOpen={(id) => navigate({ view: 'tasks', id, query: { ...taskFilter.value } })}
    >
      {(task) => <TaskRow task={task} />}
    </VirtualList>
  )
}

function NoTasks() {
  return (
    <Empty icon="tasks" title="No tasks yet">
      <Refusals />
      <p>A reset or a restart of the server deletes all tasks. New tasks appear here.</p>
    </Empty>
  )
}

function NoMatches() {
  return (
    <Empty icon="search" title="No matching tasks">
      <p>No task matches the current filters.</p>
      <Button onPress={() => setTaskFilter(NO_TASK_FILTER)}>Show all tasks</Button>
    </Empty>
  )
}
