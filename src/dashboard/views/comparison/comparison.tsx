import { compareFacts } from '../../model/comparison.js'
import { capitalized, titleOf } from '../../model/format.js'
import { TASK_FACTS } from '../../model/tasks/task-comparison.js'
import { type TaskRecord, timelineOf } from '../../model/tasks/task-record.js'
import { layOutTimeline, scaleOf } from '../../model/timeline/timeline-layout.js'
import { StateBadge } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { ComparedFacts, Difference } from '../../parts/comparison.js'
import { useSize } from '../../parts/hooks.js'
import { changes } from '../../state/changes.js'
import { now } from '../../state/clock.js'
import { taskLink } from '../../state/tasks.js'
import { ItemPage, SubPageHead } from '../item-page.js'
import { chartWidth, TimelineChart } from '../tasks/timeline-chart.js'
import { useRecord, WHY_GONE } from '../tasks/use-record.js'

const LETTERS = ['A', 'B'] as const

/** Two tasks side by side: their timelines on one scale, and what differs between them. */
export function Comparison({ ids: [a, b] }: { readonly ids: readonly [string, string] }) {
  const [one, other] = [useRecord(a), useRecord(b)]
  const records = one.value && other.value && ([one.value, other.value] as const)
  return (
    <ItemPage
      what="task"
      view="tasks"
      head={
        <SubPageHead title="Comparison" href={taskLink(a)}>
          <LinkButton icon="again" href={taskLink(b, { compare: a })}>
            Swap
          </LinkButton>
        </SubPageHead>
      }
      found={{ value: records, error: one.error ?? other.error }}
      gone={WHY_GONE}
    >
      {([first, second]) => (
        <>
          <Card title="Timelines">
            <Timelines records={[first, second]} />
          </Card>
          <Card title="Facts">
            <ComparedFacts facts={compareFacts(TASK_FACTS, first, second)} names={LETTERS} />
          </Card>
          {(['input', 'output'] as const).map((part) => (
            <Card key={part} title={capitalized(part)}>
              <Difference
                label={capitalized(part)}
                names={LETTERS}
                values={[first.task[part], second.task[part]]}
              />
            </Card>
          ))}
        </>
      )}
    </ItemPage>
  )
}

function Timelines({ records }: { readonly records: readonly [TaskRecord, TaskRecord] }) {
  const [box, size] = useSize()
  const width = Math.max(260, size.width)
  const hasEnded = records.every(({ task }) => task.completed_at !== undefined)
  const at = hasEnded ? now.peek() : now.value
  const timelines = records.map((record) => ({ record, timeline: timelineOf(record, at, changes.value) }))
  const scale = scaleOf(
    timelines.map(({ timeline }) => timeline),
    chartWidth(width),
  )
  return (
    <div class="timeline" ref={box}>
      {timelines.map(({ record: { task }, timeline }, index) => (
        <div key={task.id}>
          <p class="compared line">
            <b class="letter">{LETTERS[index]}</b>
            <StateBadge state={task.status} />
            <a href={taskLink(task.id)} title={task.id}>
              {titleOf(task.input)}
            </a>
          </p>
          <TimelineChart
            task={task}
            timeline={timeline}
            layout={layOutTimeline(timeline, scale)}
            scale={scale}
          />
        </div>
      ))}
    </div>
  )
}
