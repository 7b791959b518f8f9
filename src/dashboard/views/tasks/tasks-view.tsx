import { useEffect } from 'preact/hooks'
import type { TaskBriefShape } from '../../../control/shapes.js'
import { count, dollars, duration, totalOf } from '../../model/format.js'
import { TASK_STATES } from '../../model/tasks/task-store.js'
import { lastExpiry, sinceExpiry } from '../../model/tasks/url-expiry.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Empty } from '../../parts/blocks.js'
import { Filters, isMixed, ListRows } from '../../parts/filters.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { lazy } from '../../parts/lazy.js'
import { Split } from '../../parts/split.js'
import { nowInSeconds } from '../../state/clock.js'
import { urlsOf, wantDialects } from '../../state/dialects.js'
import { tasksInAnswers } from '../../state/requests.js'
import { route } from '../../state/route.js'
import { findingTitles, simulator } from '../../state/session.js'
import { taskList } from '../../state/tasks.js'
import { Overview } from '../overview/overview.js'
import { Refusals } from '../requests/refusals.js'
import { TaskPage } from './task-page.js'
import { NewTaskLink, Welcome } from './welcome.js'

const Comparison = lazy(
  'The comparison',
  async () => (await import('../comparison/comparison.js')).Comparison,
)

/** The task list and the selected task. */
export function TasksView() {
  const { id, query } = route.value
  useEffect(wantDialects, [])
  if (taskList.size.value === 0 && !taskList.isLoading.value && id === undefined) return <Welcome />
  return (
    <Split
      label="Tasks"
      paneLabel={id === undefined ? 'Overview' : 'Task'}
      aside="Overview"
      list={
        <>
          <TaskFilters />
          <ListRows
            list={taskList}
            view="tasks"
            what="tasks"
            empty={<NoTasks />}
            placeOf={({ id, created_at: at }) => ({
              number: tasksInAnswers.peek().get(id)?.creation,
              at: Date.parse(at),
            })}
          >
            {(task) => <TaskRow task={task} />}
          </ListRows>
        </>
      }
    >
      {id === undefined ? <Overview /> : <OpenTask id={id} second={query['compare']} />}
    </Split>
  )
}

/** A task, alone or compared with a second one. */
function OpenTask({ id, second }: { readonly id: string; readonly second: string | undefined }) {
  return second === undefined ? <TaskPage key={id} id={id} /> : <Comparison ids={[id, second]} />
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
        {isMixed(taskList) && <span class="row-dialect">{dialect}</span>}
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
  const expire = lastExpiry(task, urlsOf(task.dialect), tasksInAnswers.value.get(task.id)?.shown)
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

const CHIPS = TASK_STATES.map((state) => ({
  value: state,
  label: state,
  icon: iconFor(state),
  look: `state-${state}`,
}))

const CHOICES = [
  { name: 'kind', label: 'Kind', all: 'All kinds' },
  { name: 'model', label: 'Model', all: 'All models' },
  { name: 'dialect', label: 'Dialect', all: 'All dialects' },
  { name: 'key', label: 'API key', all: 'All keys' },
] as const

/** The filters of the task list. */
function TaskFilters() {
  return (
    <Filters
      list={taskList}
      what="tasks"
      searched="prompt, model, id, error"
      label="State"
      chips={CHIPS}
      choices={CHOICES}
      beside={<NewTaskLink />}
    >
      <Completeness />
    </Filters>
  )
}

/** The page may not have received this many of the latest tasks yet. */
const FEW = 100

/** Says that the list, and thus its counts, do not have all tasks of the server; nothing if they do. */
function Completeness() {
  const { value: known } = taskList.size
  const all = totalOf(simulator.value?.tasks ?? {})
  if (all - known < FEW) return null
  return (
    <p class="hint small">
      {taskList.isLoading.value ? 'Loading: ' : 'The latest '}
      {`${count(known)} of ${count(all)} tasks`}
    </p>
  )
}
