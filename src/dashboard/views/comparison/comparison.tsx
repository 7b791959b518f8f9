import { compareFacts } from '../../model/comparison.js'
import { capitalized, titleOf } from '../../model/format.js'
import { TASK_FACTS } from '../../model/tasks/task-comparison.js'
import type { TaskRecord } from '../../model/tasks/task-record.js'
import { StateBadge } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { LinkButton } from '../../parts/button.js'
import { ComparedFacts, Difference } from '../../parts/comparison.js'
import { taskLink } from '../../state/tasks.js'
import { ItemPage, SubPageHead } from '../item-page.js'
import { Timelines } from '../tasks/timeline.js'
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
            <Timelines records={[first, second]} headOf={headOf} />
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

/** Says which of the tasks a timeline is of. */
function headOf({ task }: TaskRecord, index: number) {
  return (
    <p class="compared line">
      <b class="letter">{LETTERS[index]}</b>
      <StateBadge state={task.status} />
      <a href={taskLink(task.id)} title={task.id}>
        {titleOf(task.input)}
      </a>
    </p>
  )
}
