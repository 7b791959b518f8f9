import { clockTime, day, dollars, duration } from '../../model/format.js'
import { titleOf } from '../../model/prompt.js'
import { describePlan } from '../../model/tasks/describe-plan.js'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { Card } from '../../parts/card.js'
import { Code } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Empty } from '../../parts/empty.js'
import { Fact } from '../../parts/fact.js'
import { Icon } from '../../parts/icon.js'
import { Loading } from '../../parts/loading.js'
import { StateBadge } from '../../parts/state-badge.js'
import { nowInSeconds } from '../../state/clock.js'
import { recording } from '../../state/session.js'
import { taskLink } from '../../state/tasks.js'
import { DeliveryList } from '../webhooks/delivery-list.js'
import { CompareButton } from './compare-button.js'
import { Exchanges } from './exchanges.js'
import { Output } from './output.js'
import { PollAnswer } from './poll-answer.js'
import { RunAgain } from './run-again.js'
import { TASK_TITLE, TaskActions } from './task-actions.js'
import { TaskCopyMenu } from './task-copy-menu.js'
import { TaskFindings } from './task-findings.js'
import { Timeline } from './timeline.js'
import { useRecord } from './use-record.js'

/** The details of one task. */
export function TaskPage({ id }: { readonly id: string }) {
  const { value: record, error, reload, version } = useRecord(id)
  if (error !== undefined) return <NotFound error={error} />
  if (record === undefined) return <Loading what="The task" />
  const { task, request, deliveries, entries } = record
  const isRecorded = recording.value !== undefined
  return (
    <article class="task">
      <a class="back" href={taskLink(undefined)}>
        <Icon name="back" /> All tasks
      </a>
      <TaskHead record={record} />
      {!isRecorded && (
        <>
          <TaskActions task={task} onChange={reload} />
          <p class="plan">{describePlan(task, nowInSeconds.value)}</p>
        </>
      )}
      <Card title="Timeline" aside={<CompareButton id={id} />}>
        <Timeline record={record} />
      </Card>
      <TaskFindings id={id} />
      <Output task={task} />
      {!isRecorded && <PollAnswer task={task} version={version} />}
      <Card title="Input" aside={!isRecorded && <RunAgain id={id} request={request} />}>
        <Code text={JSON.stringify(task.input, null, 2)} label="Input" />
      </Card>
      <Card title="Webhooks">
        <DeliveryList
          deliveries={deliveries}
          empty={
            isRecorded
              ? 'No webhook has passed through the proxy.'
              : task.completed_at === undefined
                ? 'Webhooks are sent when the task ends.'
                : 'No webhook was sent: the task has no webhook URL, and no receiver gets its events.'
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

function TaskHead({ record: { task, request } }: { readonly record: TaskRecord }) {
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
        <TaskCopyMenu task={task} request={request} />
      </div>
      <h2 id={TASK_TITLE} tabIndex={-1}>
        {titleOf(task.input)}
      </h2>
      {error !== undefined && (
        <p class="task-error">
          <code>{error.code}</code> {error.message}
        </p>
      )}
      <dl class="facts">
        <Fact name="Model">{model}</Fact>
        <Fact name="Kind">{kind}</Fact>
        <Fact name="Dialect">{dialect}</Fact>
        <Fact name="Key">{key}</Fact>
        <Fact name="Created">{`${day(at)} ${clockTime(at, true)}`}</Fact>
        <Fact name="Duration">{completed === undefined ? '–' : duration(Date.parse(completed) - at)}</Fact>
        <Fact name="Cost">{cost === undefined ? '–' : dollars(cost)}</Fact>
      </dl>
    </header>
  )
}

function NotFound({ error }: { readonly error: string }) {
  return (
    <Empty icon="search" title="Task not found">
      <p>{error} A reset or a restart of the server deletes all tasks.</p>
      <p>
        <a href={taskLink(undefined)}>Show all tasks</a>
      </p>
    </Empty>
  )
}
