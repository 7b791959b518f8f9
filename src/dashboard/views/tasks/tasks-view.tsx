import { useEffect } from 'preact/hooks'
import type { TaskBriefShape } from '../../../control/shapes.js'
import { count, dollars, duration, totalOf } from '../../model/format.js'
import { TASK_STATES } from '../../model/tasks/task-store.js'
import { lastExpiry, sinceExpiry } from '../../model/tasks/url-expiry.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty } from '../../parts/blocks.js'
import { Filters, NoMatches } from '../../parts/filters.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { VirtualList } from '../../parts/virtual-list.js'
import { nowInSeconds } from '../../state/clock.js'
import { urlsOf, wantDialects } from '../../state/dialects.js'
import { requestStore, requestVersion } from '../../state/requests.js'
import { route } from '../../state/route.js'
import { findingTitles, simulator } from '../../state/session.js'
import {
  filteredTasks,
  isLoadingTasks,
  setTaskFilter,
  taskChoices,
  taskFilter,
  taskLink,
  taskStateCounts,
  taskStore,
  taskVersion,
} from '../../state/tasks.js'
import { Overview } from '../overview/overview.js'
import { Refusals } from '../requests/refusals.js'
import { TaskPage } from './task-page.js'
import { NewTaskLink, Welcome } from './welcome.js'

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
          class={`to-overview line${id === undefined ? ' to-overview-shown' : ''}`}
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

/** The tasks that match the filter. */
function TaskList() {
  useEffect(wantDialects, [])
  const tasks = filteredTasks.value
  if (tasks.length === 0 && !isLoadingTasks.value)
    return taskStore.size === 0 ? (
      <NoTasks />
    ) : (
      <NoMatches what="tasks" filter={taskFilter.value} onChange={setTaskFilter} />
    )
  return (
    <VirtualList
      items={tasks}
      label="Tasks, newest first"
      openId={route.value.id}
      placeOf={({ id, created_at: at }) => ({ number: requestStore.creationOf(id), at: Date.parse(at) })}
      routeOf={(id) => ({ view: 'tasks', id, query: { ...taskFilter.value } })}
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

/** The content of a task's row in the list. */
function TaskRow({ task }: { readonly task: TaskBriefShape }) {
  const { status, prompt, model, kind, dialect, error, held } = task
  return (
    <>
      <StateMark state={status} />
      <span class="row-title">{prompt === '' ? <em>no prompt</em> : prompt}</span>
      <Instant class="row-time" at={task.created_at} />
      <span class="row-what">
        <span class="kind">{kind}</span> {model}
        {taskChoices.value.dialects.length > 1 && <span class="row-dialect">{dialect}</span>}
        <FindingMark id={task.id} />
        {task.files !== undefined && <ExpiryMark task={task} />}
        {error !== undefined && <span class="row-error">{error}</span>}
        {held && (
          <span class="row-held">
            <Icon name="held" /> held
          </span>
        )}
      </span>
      <span class="row-cost">{durationAndCost(task)}</span>
    </>
  )
}

/** Marks a task with findings; nothing if there are none. */
function FindingMark({ id }: { readonly id: string }) {
  const titles = findingTitles.value.get(id)
  if (titles === undefined) return null
  return (
    <span class="row-finding" title={titles.join('\n')}>
      <Icon name="findings" />
      <span class="visually-hidden">Findings: {titles.join(', ')}</span>
    </span>
  )
}

/** Marks a task whose client has no valid URL of its files any more; nothing if it has one. */
function ExpiryMark({ task }: { readonly task: TaskBriefShape }) {
  requestVersion.value
  const expire = lastExpiry(task, urlsOf(task.dialect), requestStore.lastAnswer(task.id))
  const since = sinceExpiry(expire, nowInSeconds.value)
  if (since === undefined) return null
  return (
    <span class="row-expired" title="The client got no other URLs of the files.">
      URLs {since}
    </span>
  )
}

function durationAndCost({ created_at, completed_at, cost_usd }: TaskBriefShape): string {
  if (completed_at === undefined) return ''
  const took = duration(Date.parse(completed_at) - Date.parse(created_at))
  return cost_usd ? `${took} · ${dollars(cost_usd)}` : took
}

/** The filters of the task list. */
function TaskFilters() {
  const { kinds, models, dialects, keys } = taskChoices.value
  const choices = [
    { name: 'kind', label: 'Kind', all: 'All kinds', values: kinds },
    { name: 'model', label: 'Model', all: 'All models', values: models },
    { name: 'dialect', label: 'Dialect', all: 'All dialects', values: dialects },
    { name: 'key', label: 'API key', all: 'All keys', values: keys },
  ] as const
  const chips = TASK_STATES.map((state) => ({
    value: state,
    label: state,
    icon: iconFor(state),
    look: `state-${state}`,
    count: taskStateCounts.value[state],
  }))
  return (
    <Filters
      what="tasks"
      searched="prompt, model, id, error"
      filter={taskFilter.value}
      chips={{ name: 'status', label: 'State', chips }}
      choices={choices}
      shown={filteredTasks.value.length}
      beside={<NewTaskLink />}
      onChange={setTaskFilter}
    >
      <Completeness />
    </Filters>
  )
}

/** The page may not have received this many of the latest tasks yet. */
const FEW = 100

/** Says that the list, and thus its counts, do not have all tasks of the server; nothing if they do. */
function Completeness() {
  taskVersion.value
  const all = totalOf(simulator.value?.tasks ?? {})
  if (all - taskStore.size < FEW) return null
  return (
    <p class="hint small">
      {isLoadingTasks.value
        ? `Loading: ${count(taskStore.size)} of ${count(all)} tasks`
        : `The latest ${count(taskStore.size)} of ${count(all)} tasks`}
    </p>
  )
}
