import { useSignal } from '@preact/signals'
import type {
  EntryShape,
  RequestEntryShape,
  ServiceRequestShape,
  TaskShape,
} from '../../../control/shapes.js'
import { needsKey } from '../../model/compose/order.js'
import { clockTime, day, dollars, duration, titleOf } from '../../model/format.js'
import { decisionLabel, statusClass, statusLabel } from '../../model/requests/request-filter.js'
import { describePlan } from '../../model/tasks/describe.js'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { Card, Loading } from '../../parts/blocks.js'
import { Button, LinkButton } from '../../parts/button.js'
import { Body } from '../../parts/code/body.js'
import { codeItems } from '../../parts/copy.js'
import { Icon } from '../../parts/icon.js'
import { PageHead } from '../../parts/page-head.js'
import { nowInSeconds } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { notify } from '../../state/notifications.js'
import { linkTo, navigate } from '../../state/route.js'
import { runRequest } from '../../state/run-request.js'
import { control, recording } from '../../state/session.js'
import { taskLink } from '../../state/tasks.js'
import { DeliveryList } from '../webhooks/delivery-list.js'
import { CompareButton } from './compare-button.js'
import { Output } from './output.js'
import { TASK_TITLE, TaskActions } from './task-actions.js'
import { TaskFindings } from './task-findings.js'
import { Timeline } from './timeline.js'
import { TaskNotFound, useRecord } from './use-record.js'

/** The details of one task. */
export function TaskPage({ id }: { readonly id: string }) {
  const { value: record, error, reload, version } = useRecord(id)
  if (error !== undefined) return <TaskNotFound error={error} />
  if (record === undefined) return <Loading what="The task" />
  const { task, request, deliveries, entries } = record
  const isRecorded = recording.value !== undefined
  return (
    <article class="task stack">
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
      <Output record={record} />
      {!isRecorded && <PollAnswer task={task} version={version} />}
      <Card title="Input" aside={!isRecorded && <RunAgain id={id} request={request} />}>
        <Body body={task.input} label="Input" />
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
  const { id, status, held, error, cost_usd: cost, created_at: created, completed_at: completed } = task
  const at = Date.parse(created)
  // The real service would charge for another task, and a test cannot repeat what it does.
  const code =
    recording.value === undefined
      ? [
          ...codeItems(request, 'creates the same'),
          { label: 'Vitest test', note: 'passes as it is', text: () => control.value.tasks.test(id) },
        ]
      : []
  return (
    <PageHead
      of="this task"
      view="tasks"
      id={id}
      value={task}
      items={code}
      states={
        <>
          <StateBadge state={status} isLarge />
          {held && <StateBadge state="held" />}
        </>
      }
      title={
        <h2 id={TASK_TITLE} tabIndex={-1}>
          {titleOf(task.input)}
        </h2>
      }
      note={
        error !== undefined && (
          <p class="task-error box box-bad">
            <code>{error.code}</code> {error.message}
          </p>
        )
      }
      facts={{
        Model: task.model,
        Kind: task.kind,
        Dialect: task.dialect,
        Key: task.key,
        Created: `${day(at)} ${clockTime(at, true)}`,
        Duration: completed === undefined ? '–' : duration(Date.parse(completed) - at),
        Cost: cost === undefined ? '–' : dollars(cost),
      }}
    />
  )
}

/** The answer that a poll of a task would get now, in the words of its service. It is asked for once it is open. */
function PollAnswer({ task, version }: { readonly task: TaskShape; readonly version: number }) {
  const isOpen = useSignal(false)
  return (
    <details
      class="card stack folded"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>Answer to a poll</summary>
      {isOpen.value && <PresentAnswer task={task} version={version} />}
    </details>
  )
}

function PresentAnswer({ task, version }: { readonly task: TaskShape; readonly version: number }) {
  const { id, dialect, completed_at: completed } = task
  // The progress in the answer depends on the time.
  const time = completed === undefined ? nowInSeconds.value : 0
  const { value: answer, error } = useFetched(`answer ${id}`, `${version} ${time}`, () =>
    control.value.tasks.answer(id),
  )
  if (error !== undefined) return <p class="hint">{error}</p>
  if (answer === undefined) return null
  return (
    <>
      <p class="muted">
        In the format of {dialect}, now:{' '}
        <span class={`status status-${Math.floor(answer.status / 100)}`}>{answer.status}</span>
      </p>
      <Body body={answer.body ?? ''} label="Answer to a poll" />
    </>
  )
}

/** Creates an identical task, or opens the composer with the order of the task. */
function RunAgain({
  id,
  request,
}: {
  readonly id: string
  /** A request that creates an identical task. */
  readonly request: ServiceRequestShape
}) {
  const compose = { view: 'new', query: { from: id } } as const
  const run = async () => {
    // The composer asks for a key that only the user knows.
    if (needsKey(request)) {
      navigate(compose)
      return
    }
    const sent = await runRequest(request, '', () => true)
    if (sent?.state === 'refused') notify('bad', `The service answered ${sent.status}: ${sent.reason}`)
    if (sent?.state === 'unsent') notify('bad', sent.reason)
  }
  return (
    <>
      <Button icon="again" label="Create an identical task" onPress={run}>
        Run again
      </Button>
      <LinkButton icon="scenario" href={linkTo(compose)} label="Change the values of this task, and run it">
        Edit and run
      </LinkButton>
    </>
  )
}

const MAX_SHOWN = 60

/** The requests on a task with their responses. */
function Exchanges({ entries }: { readonly entries: readonly EntryShape[] }) {
  const requests = entries.filter((entry): entry is RequestEntryShape => entry.type === 'request')
  if (requests.length === 0)
    return <p class="hint">No requests in the journal: it keeps only the latest entries.</p>
  // The creation and the latest requests are the most relevant.
  const shown =
    requests.length > MAX_SHOWN ? [...requests.slice(0, 1), ...requests.slice(1 - MAX_SHOWN)] : requests
  return (
    <div class="exchanges stack">
      {shown.map((request) => (
        <Exchange key={request.number} request={request} />
      ))}
      {shown.length < requests.length && (
        <p class="hint">
          {requests.length - shown.length} requests between the first and the last are hidden.
        </p>
      )}
    </div>
  )
}

function Exchange({ request }: { readonly request: RequestEntryShape }) {
  const { id, method, path, query, took_ms: took, at } = request
  const decision = decisionLabel(request)
  return (
    <details class="exchange">
      <summary class="line">
        <Instant at={at} isExact />
        <b>{method}</b>
        <code class="one-line">{query === '' ? path : `${path}?${query}`}</code>
        <span class={statusClass(request)}>{statusLabel(request)}</span>
        <span class="muted">{duration(took)}</span>
        {decision !== '' && <span class="tag">{decision}</span>}
      </summary>
      <a href={linkTo({ view: 'requests', id })}>Show request with headers</a>
      {request.request_body ? (
        <>
          <h3>Request</h3>
          <Body body={request.request_body} label="Request body" />
        </>
      ) : null}
      <h3>Response</h3>
      {request.response_body ? (
        <Body body={request.response_body} label="Response body" />
      ) : (
        <p class="hint">Not recorded: a file, an empty body or a body that is too long.</p>
      )}
    </details>
  )
}
