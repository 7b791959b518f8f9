import { useRef } from 'preact/hooks'
import { curlOf } from '../../../client/curl.js'
import { describePlan } from '../../model/describe-plan.js'
import { clockTime, day, dollars, duration } from '../../model/format.js'
import type { TaskRecord } from '../../model/task-record.js'
import { Card } from '../../parts/card.js'
import { Code } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Empty } from '../../parts/empty.js'
import { Icon } from '../../parts/icon.js'
import { StateBadge } from '../../parts/state-badge.js'
import { nowInSeconds } from '../../state/clock.js'
import { linkTo } from '../../state/route.js'
import { control, lastChange } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'
import { DeliveryList } from '../webhooks/delivery-list.js'
import { Exchanges } from './exchanges.js'
import { Output } from './output.js'
import { PollAnswer } from './poll-answer.js'
import { TaskActions } from './task-actions.js'
import { Timeline } from './timeline.js'

const MAX_ENTRIES = 1_000

/** The details of one task. */
export function TaskPage({ id }: { readonly id: string }) {
  const version = useRef(0)
  const { tasks, all } = lastChange.value
  const seen = useRef(lastChange.value)
  if (seen.current !== lastChange.value) {
    seen.current = lastChange.value
    if (all || tasks.has(id)) version.current += 1
  }
  const { value: record, error, reload } = useFetched(`task ${id}`, version.current, () => fetchRecord(id))
  if (error !== undefined) return <NotFound error={error} />
  if (record === undefined) return <p class="hint">Loading…</p>
  const { task, request, deliveries, entries } = record
  return (
    <article class="task">
      <a class="back" href={linkTo({ view: 'tasks' })}>
        <Icon name="back" /> All tasks
      </a>
      <TaskHead record={record} />
      <TaskActions task={task} onChange={reload} />
      <p class="plan">{describePlan(task, nowInSeconds.value)}</p>
      <Card title="Timeline">
        <Timeline record={record} />
      </Card>
      <Output task={task} />
      <PollAnswer task={task} version={version.current} />
      <Card
        title="Input"
        aside={
          <CopyButton label="Copy as curl" text={() => curlOf(request)}>
            Copy as curl
          </CopyButton>
        }
      >
        <Code text={JSON.stringify(task.input, null, 2)} label="Input" />
      </Card>
      <Card title="Webhooks">
        <DeliveryList
          deliveries={deliveries}
          empty={
            task.completed_at === undefined
              ? 'Webhooks are sent when the task ends.'
              : 'No webhook was sent: the task has no webhook_url, and no receiver is registered.'
          }
          onChange={reload}
        />
      </Card>
      <Card title="Requests">
        <Exchanges entries={entries} />
      </Card>
    </article>
  )
}

function TaskHead({ record: { task } }: { readonly record: TaskRecord }) {
  const {
    id,
    status,
    model,
    kind,
    dialect,
    key,
    cost_usd: cost,
    created_at: created,
    completed_at: completed,
    error,
    held,
  } = task
  const at = Date.parse(created)
  return (
    <header class="task-head">
      <div class="task-states">
        <StateBadge state={status} isLarge />
        {held && <StateBadge state="held" />}
        <span class="task-id">
          <code>{id}</code>
          <CopyButton label="Copy ID" text={id} />
        </span>
      </div>
      <h2>{titleOf(task.input)}</h2>
      {error !== undefined && (
        <p class="task-error">
          <code>{error.code}</code> {error.message}
        </p>
      )}
      <dl class="facts">
        <Fact name="Model" value={model} />
        <Fact name="Kind" value={kind} />
        <Fact name="Dialect" value={dialect} />
        <Fact name="Key" value={key} />
        <Fact name="Created" value={`${day(at)} ${clockTime(at, true)}`} />
        <Fact name="Duration" value={completed === undefined ? '–' : duration(Date.parse(completed) - at)} />
        <Fact name="Cost" value={cost === undefined ? '–' : dollars(cost)} />
      </dl>
    </header>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function titleOf({ prompt, messages }: TaskRecord['task']['input']): string {
  if (typeof prompt === 'string') return prompt
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const { content } = Object(last) as { content?: unknown }
  return typeof content === 'string' ? content : 'No prompt'
}

function NotFound({ error }: { readonly error: string }) {
  return (
    <Empty icon="search" title="Task not found">
      <p>{error} A reset deletes all tasks.</p>
      <p>
        <a href={linkTo({ view: 'tasks' })}>Show all tasks</a>
      </p>
    </Empty>
  )
}

async function fetchRecord(id: string): Promise<TaskRecord> {
  const { tasks, journal, deliveries } = control.value
  const [task, request, lines, sent] = await Promise.all([
    tasks.get(id),
    tasks.request(id),
    journal.list({ task: id, limit: MAX_ENTRIES }),
    deliveries.list({ task: id, limit: 100 }),
  ])
  return { task, request, entries: [...lines.data].reverse(), deliveries: sent.data }
}
