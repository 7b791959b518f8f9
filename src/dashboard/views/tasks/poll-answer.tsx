import type { TaskShape } from '../../../control/shapes.js'
import { shortened } from '../../model/shortened.js'
import { Card } from '../../parts/card.js'
import { Code } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { nowInSeconds } from '../../state/clock.js'
import { control } from '../../state/session.js'
import { useFetched } from '../../state/use-fetched.js'

/** The answer that a poll of a task would get now, in the words of its service. */
export function PollAnswer({ task, version }: { readonly task: TaskShape; readonly version: number }) {
  const { id, dialect, completed_at: completed } = task
  // The progress in the answer depends on the time.
  const time = completed === undefined ? nowInSeconds.value : 0
  const { value: answer, error } = useFetched(`answer ${id}`, `${version} ${time}`, () =>
    control.value.tasks.answer(id),
  )
  return (
    <Card
      title="Answer to a poll"
      aside={answer?.body && <CopyButton label="Copy answer" text={answer.body} />}
    >
      {error !== undefined && <p class="hint">{error}</p>}
      {answer !== undefined && (
        <>
          <p class="muted">
            In the format of {dialect}, now:{' '}
            <span class={`status status-${Math.floor(answer.status / 100)}`}>{answer.status}</span>
          </p>
          <Code text={shortened(answer.body ?? '')} label="Answer to a poll" />
        </>
      )}
    </Card>
  )
}
