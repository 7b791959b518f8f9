import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { titleOf } from '../../model/format.js'
import { collapse, type DiffLine, diffLines, jsonLines } from '../../model/line-diff.js'
import { compareFacts } from '../../model/tasks/task-comparison.js'
import { type TaskRecord, timelineOf } from '../../model/tasks/task-record.js'
import { layOutTimeline, scaleOf } from '../../model/timeline/timeline-layout.js'
import { StateBadge } from '../../parts/badges.js'
import { Card, Empty, Loading } from '../../parts/blocks.js'
import { isLonger } from '../../parts/code/body-text.js'
import { useWidth } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { changes } from '../../state/changes.js'
import { now } from '../../state/clock.js'
import { taskLink } from '../../state/tasks.js'
import { chartWidth, TimelineChart } from '../tasks/timeline-chart.js'
import { useRecord } from '../tasks/use-record.js'

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
    <article class="task comparison">
      <header class="actions">
        <h2 ref={title} tabIndex={-1}>
          Comparison
        </h2>
        <span class="spring" />
        <a class="button button-plain" href={taskLink(b, { compare: a })}>
          <Icon name="again" />
          <span>Swap</span>
        </a>
        <a class="button button-plain" href={taskLink(a)} title="Close the comparison">
          <Icon name="close" />
          <span>Close</span>
        </a>
      </header>
      <Compared a={a} b={b} />
    </article>
  )
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const { value: first, error } = useRecord(a)
  const { value: second, error: secondError = error } = useRecord(b)
  if (secondError !== undefined)
    return (
      <Empty icon="search" title="Task not found">
        <p>{secondError} A reset or a restart of the server deletes all tasks.</p>
      </Empty>
    )
  if (first === undefined || second === undefined) return <Loading what="The comparison" />
  const pair = { first, second }
  return (
    <>
      <Card title="Timelines">
        <Timelines {...pair} />
      </Card>
      <Card title="Facts">
        <Facts {...pair} />
      </Card>
      <Difference title="Input" before={first.task.input} after={second.task.input} />
      <Difference title="Output" before={first.task.output} after={second.task.output} />
    </>
  )
}

function TaskLink({ record: { task }, letter }: { readonly record: TaskRecord; readonly letter: string }) {
  return (
    <p class="compared">
      <b class="letter">{letter}</b>
      <StateBadge state={task.status} />
      <a href={taskLink(task.id)} title={task.id}>
        {titleOf(task.input)}
      </a>
    </p>
  )
}

function Timelines({ first, second }: Pair) {
  const [box, width] = useWidth<HTMLDivElement>(260)
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
            <TaskLink record={record} letter={index === 0 ? 'A' : 'B'} />
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

function Facts({ first, second }: Pair) {
  return (
    <table class="compared-facts">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">Fact</span>
          </th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">
            <span class="visually-hidden">Difference</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {compareFacts(first, second).map(({ name, values: [a, b], differs }) => (
          <tr key={name} class={differs ? 'differs' : undefined}>
            <th scope="row">{name}</th>
            <td>{a}</td>
            <td>{b}</td>
            <td>{differs && <span class="tag">differs</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** In characters. A comparison of longer ones would block the page. */
const LONGEST = 200_000

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const NAMES = { same: '', removed: 'Only A: ', added: 'Only B: ' } as const

function Difference({
  title,
  before,
  after,
}: {
  readonly title: string
  readonly before: unknown
  readonly after: unknown
}) {
  if ([before, after].some((each) => isLonger(each, LONGEST)))
    return <Note title={title}>One is longer than 200 kB, so they are not compared here.</Note>
  const lines = diffLines(jsonLines(before), jsonLines(after))
  if (lines.length === 0) return <Note title={title}>Neither task has one.</Note>
  if (lines.every(({ kind }) => kind === 'same')) return <Note title={title}>Both are equal.</Note>
  return (
    <Card title={title} aside={<span class="muted">− only A, + only B</span>}>
      <section aria-label={`${title}: differences`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <pre class="diff" tabIndex={0}>
          {collapse(lines).map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </pre>
      </section>
    </Card>
  )
}

function Note({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <Card title={title}>
      <p class="hint">{children}</p>
    </Card>
  )
}

function Line({ line }: { readonly line: DiffLine }) {
  if (line.kind === 'hidden')
    return (
      <span class="diff-hidden">
        {line.count} equal {line.count === 1 ? 'line' : 'lines'}
      </span>
    )
  return (
    <span class={`diff-${line.kind}`}>
      <i aria-hidden="true">{SIGNS[line.kind]}</i>
      <span class="visually-hidden">{NAMES[line.kind]}</span>
      {line.text}
    </span>
  )
}
