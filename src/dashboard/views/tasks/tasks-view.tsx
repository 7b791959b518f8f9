import { useEffect } from 'preact/hooks'
import type { TaskBriefShape } from '../../../control/shapes.js'
import { count, dollars, duration, totalOf } from '../../model/format.js'
import { isEmptyTaskFilter, NO_TASK_FILTER, TASK_STATES } from '../../model/tasks/task-store.js'
import { lastExpiry, sinceExpiry } from '../../model/tasks/url-expiry.js'
import { withChosen } from '../../model/with-chosen.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty } from '../../parts/blocks.js'
import { Button } from '../../parts/button.js'
import { Chips, Choice } from '../../parts/choices.js'
import { ClearFilters, SearchField } from '../../parts/filters.js'
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
  setTaskFilter as set,
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

/** The tasks that match the filter. */
function TaskList() {
  useEffect(wantDialects, [])
  const tasks = filteredTasks.value
  if (tasks.length === 0 && !isLoadingTasks.value) return taskStore.size === 0 ? <NoTasks /> : <NoMatches />
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

function NoMatches() {
  return (
    <Empty icon="search" title="No matching tasks">
      <p>No task matches the current filters.</p>
      <Button onPress={() => setTaskFilter(NO_TASK_FILTER)}>Show all tasks</Button>
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
  const { status, kind, model, dialect, key, text } = taskFilter.value
  return (
    <search class="filters">
      <div class="search-row">
        <SearchField
          label="Search tasks"
          placeholder="Search prompt, model, id, error"
          value={text}
          onSearch={(text) => set({ text })}
        />
        <NewTaskLink />
      </div>
      <Chips
        label="State"
        chips={TASK_STATES.map((state) => ({
          value: state,
          label: state,
          icon: iconFor(state),
          look: `state-${state}`,
          count: taskStateCounts.value[state],
        }))}
        chosen={status}
        onChoose={(status) => set({ status })}
      />
      <Completeness />
      <div class="choices">
        <Choice
          label="Kind"
          all="All kinds"
          value={kind}
          values={withChosen(taskChoices.value.kinds, kind)}
          onChoose={(kind) => set({ kind })}
        />
        <Choice
          label="Model"
          all="All models"
          value={model}
          values={withChosen(taskChoices.value.models, model)}
          onChoose={(model) => set({ model })}
        />
        {taskChoices.value.dialects.length > 1 && (
          <Choice
            label="Dialect"
            all="All dialects"
            value={dialect}
            values={withChosen(taskChoices.value.dialects, dialect)}
            onChoose={(dialect) => set({ dialect })}
          />
        )}
        <Choice
          label="API key"
          all="All keys"
          value={key}
          values={withChosen(taskChoices.value.keys, key)}
          onChoose={(key) => set({ key })}
        />
        {!isEmptyTaskFilter(taskFilter.value) && (
          <ClearFilters shown={filteredTasks.value.length} onClear={() => set(NO_TASK_FILTER)} />
        )}
      </div>
    </search>
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
    <p class="hint completeness">
      {isLoadingTasks.value
        ? `Loading: ${count(taskStore.size)} of ${count(all)} tasks`
        : `The latest ${count(taskStore.size)} of ${count(all)} tasks`}
    </p>
  )
}
