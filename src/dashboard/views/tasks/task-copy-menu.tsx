import type { ServiceRequestShape, TaskShape } from '../../../control/shapes.js'
import { codeItems } from '../../model/code-items.js'
import { CopyMenu } from '../../parts/copy-menu.js'
import { addressOf } from '../../state/route.js'
import { control, recording } from '../../state/session.js'

/** Copies a task as a link, its id, a command or JSON. */
export function TaskCopyMenu({
  task,
  request,
}: {
  readonly task: TaskShape
  /** A request that creates an identical task, with its code. */
  readonly request: ServiceRequestShape
}) {
  const { id } = task
  // The real service would charge for another task, and a test cannot repeat what it does.
  const code =
    recording.value === undefined
      ? [
          ...codeItems(request, 'creates the same'),
          { label: 'Vitest test', note: 'passes as it is', text: () => control.value.tasks.test(id) },
        ]
      : []
  return (
    <CopyMenu
      of="this task"
      items={[
        { label: 'Link', text: () => addressOf({ view: 'tasks', id }) },
        { label: 'ID', text: id },
        ...code,
        { label: 'JSON', text: () => JSON.stringify(task, null, 2) },
      ]}
    />
  )
}
