import type { TaskShape } from '../../../control/shapes.js'
import { lengthOf } from '../../model/body-text.js'
import { dollars, duration, titleOf } from '../../model/format.js'
import { describePlan } from '../../model/tasks/describe.js'
import { Instant, StateBadge } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { Body } from '../../parts/code/body.js'
import { codeItems } from '../../parts/copy.js'
import { PageHead } from '../../parts/page-head.js'
import { nowInSeconds } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { linkTo } from '../../state/route.js'
import { control, recording } from '../../state/session.js'
import { taskLink } from '../../state/tasks.js'
import { BackLink, ItemPage } from '../item-page.js'
import { CompareMenu } from './compare-menu.js'
import { Output } from './output.js'
import { TASK_TITLE, TaskActions } from './task-actions.js'
import { TaskFindings } from './task-findings.js'
import { TaskDeliveries, TaskRequests } from './task-links.js'
import { Timelines } from './timeline.js'
import { useRecord, WHY_GONE } from './use-record.js'

/** The details of one task. */
export function TaskPage({ id }: { readonly id: string }) {
  const found = useRecord(id)
  const isRecorded = recording.value !== undefined
  return (
    <ItemPage
      what="task"
      view="tasks"
      head={<BackLink href={taskLink(undefined)}>All tasks</BackLink>}
      found={found}
      gone={WHY_GONE}
    >
      {(record) => {
        const { task, deliveries, entries } = record
        return (
          <>
            <TaskHead task={task} />
            {!isRecorded && (
              <>
                <TaskActions task={task} />
                <p class="plan">{describePlan(task, nowInSeconds.value)}</p>
              </>
            )}
            <Card title="Timeline" aside={<CompareMenu id={id} />}>
              <Timelines records={[record]} />
            </Card>
            <TaskFindings id={id} />
            <Output record={record} />
            <Card title="Input" aside={!isRecorded && <EditAndRun id={id} />}>
              <Body body={task.input} label="Input" />
            </Card>
            <Card title="Webhooks">
              <TaskDeliveries deliveries={deliveries} empty={whyNoWebhook(task)} />
            </Card>
            <Card title="Requests">
              <TaskRequests entries={entries} />
            </Card>
          </>
        )
      }}
    </ItemPage>
  )
}

function whyNoWebhook({ completed_at: completed }: TaskShape): string {
  if (recording.value !== undefined) return 'No webhook has passed through the proxy.'
  return completed === undefined
    ? 'Webhooks are sent when the task ends.'
    : 'No webhook was sent: the task has no webhook URL, and no receiver gets its events.'
}

/** In characters. */
const LONGEST_CODE = 100_000

function TaskHead({ task }: { readonly task: TaskShape }) {
  const { id, input, status, held, error, cost_usd: cost } = task
  const { created_at: created, completed_at: completed } = task
  // The code of a long input, in every language, would block the page.
  const isShort = recording.value === undefined && lengthOf(input, LONGEST_CODE) <= LONGEST_CODE
  const request = useFetched(`request ${id}`, isShort, async () =>
    isShort ? control.value.tasks.request(id, { code: 'true' }) : {},
  )
  // The real service would charge for another task, and a test cannot repeat what it does.
  const code =
    recording.value === undefined
      ? [
          ...codeItems(request.value, 'creates the same'),
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
          {titleOf(input)}
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
        Created: <Instant at={created} isExact />,
        Duration: completed === undefined ? '–' : duration(Date.parse(completed) - Date.parse(created)),
        Cost: cost === undefined ? '–' : dollars(cost),
      }}
    />
  )
}

/** Opens the composer with the order of the task. */
function EditAndRun({ id }: { readonly id: string }) {
  return (
    <LinkButton
      icon="again"
      href={linkTo({ view: 'new', query: { from: id } })}
      label="Change the values of this task, and run it"
    >
      Edit and run
    </LinkButton>
  )
}
