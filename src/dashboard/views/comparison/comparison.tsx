import { useLayoutEffect, useRef } from 'preact/hooks'
import { compareFacts } from '../../model/comparison.js'
import { titleOf } from '../../model/format.js'
import { TASK_FACTS } from '../../model/tasks/task-comparison.js'
import { type TaskRecord, timelineOf } from '../../model/tasks/task-record.js'
import { layOutTimeline, scaleOf } from '../../model/timeline/timeline-layout.js'
import { StateBadge } from '../../parts/badges.js'
import { Card, Loading } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { ComparedFacts, Difference } from '../../parts/comparison.js'
import { useSize } from '../../parts/hooks.js'
import { changes } from '../../state/changes.js'
import { now } from '../../state/clock.js'
import { taskLink } from '../../state/tasks.js'
import { chartWidth, TimelineChart } from '../tasks/timeline-chart.js'
import { TaskNotFound, useRecord } from '../tasks/use-record.js'

const LETTERS = ['A', 'B'] as const

interface Pair {
  readonly first: TaskRecord
  readonly second: TaskRecord
}

/** Two tasks side by side: their timelines on one scale, and what differs between them. */
export function Comparison({ ids: [a, b] }: { readonly ids: readonly [string, string] }) {
  const title = useRef<HTMLHeadingElement>(null)
  // The button that opened the comparison is gone.
  useLayoutEffect(() => title.current?.focus(), [])
  return (
    <article class="task stack comparison">
      <header class="actions">
        <h2 ref={title} tabIndex={-1}>
          Comparison
        </h2>
        <span class="spring" />
        <LinkButton icon="again" href={taskLink(b, { compare: a })}>
          Swap
        </LinkButton>
        <LinkButton icon="close" href={taskLink(a)} label="Close the comparison">
          Close
        </LinkButton>
      </header>
      <Compared a={a} b={b} />
    </article>
  )
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const { value: first, error } = useRecord(a)
  const { value: second, error: secondError = error } = useRecord(b)
  if (secondError !== undefined) return <TaskNotFound error={secondError} />
  if (first === undefined || second === undefined) return <Loading what="The comparison" />
  return (
    <>
      <Card title="Timelines">
        <Timelines first={first} second={second} />
      </Card>
      <Card title="Facts">
        <ComparedFacts facts={compareFacts(TASK_FACTS, first, second)} names={LETTERS} />
      </Card>
      <Card title="Input">
        <Difference label="Input" names={LETTERS} values={[first.task.input, second.task.input]} />
      </Card>
      <Card title="Output">
        <Difference label="Output" names={LETTERS} values={[first.task.output, second.task.output]} />
      </Card>
    </>
  )
}

function TaskLink({ record: { task }, letter }: { readonly record: TaskRecord; readonly letter: string }) {
  return (
    <p class="compared line">
      <b class="letter">{letter}</b>
      <StateBadge state={task.status} />
      <a href={taskLink(task.id)} title={task.id}>
        {titleOf(task.input)}
      </a>
    </p>
  )
}

function Timelines({ first, second }: Pair) {
  const [box, size] = useSize()
  const width = Math.max(260, size.width)
  const records = [first, second] as const
  const hasEnded = records.every(({ task }) => task.completed_at !== undefined)
  const at = hasEnded ? now.peek() : now.value
  const timelines = records.map((record) => timelineOf(record, at, changes.value))
  const scale = scaleOf(timelines, chartWidth(width))
  return (
    <div class="timeline" ref={box}>
      {timelines.map((timeline, index) => {
        const record = records[index] ?? first
        return (
          <div key={record.task.id}>
            <TaskLink record={record} letter={LETTERS[index] ?? ''} />
            <TimelineChart
              task={record.task}
              timeline={timeline}
              layout={layOutTimeline(timeline, scale)}
              scale={scale}
            />
          </div>
        )
      })}
    </div>
  )
}
