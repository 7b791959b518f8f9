import { useSignal } from '@preact/signals'
import type { TaskShape } from '../../../control/shapes.js'
import { ERROR_CODES } from '../../model/compose/directive-choices.js'
import { Button } from '../../parts/button.js'
import { Choice } from '../../parts/choices.js'
import { setter, useFocusLeftTo } from '../../parts/hooks.js'
import { runAction } from '../../state/notifications.js'
import { control } from '../../state/session.js'
import { taskList } from '../../state/tasks.js'

/** The id of the heading that gets the focus when the buttons disappear. */
export const TASK_TITLE = 'task-title'

/** The buttons that end, hold or release a task. */
export function TaskActions({ task, onChange }: { readonly task: TaskShape; readonly onChange: () => void }) {
  const code = useSignal<string>('internal_error')
  const { id, held } = task
  const box = useFocusLeftTo<HTMLFieldSetElement>(`#${TASK_TITLE}`)
  if (task.completed_at !== undefined) return null
  const act = async (action: () => Promise<TaskShape>, done: string) => {
    const changed = await runAction(action, done)
    if (changed !== undefined) {
      const { status, held } = changed
      taskList.store.update(id, {
        status,
        held,
        completed_at: changed.completed_at,
        cost_usd: changed.cost_usd,
        error: changed.error?.code,
      })
      taskList.touch()
    }
    onChange()
  }
  const { tasks } = control.value
  return (
    <fieldset ref={box} class="actions" aria-label="Actions">
      <Button
        variant="accent"
        icon="done"
        onPress={() => act(() => tasks.finish(id, { status: 'succeeded' }), 'Task finished.')}
      >
        Finish
      </Button>
      <Button
        icon={held ? 'play' : 'pause'}
        onPress={() =>
          held ? act(() => tasks.release(id), 'Task released.') : act(() => tasks.hold(id), 'Task held.')
        }
      >
        {held ? 'Release' : 'Hold'}
      </Button>
      <Button
        icon="close"
        onPress={() => act(() => tasks.finish(id, { status: 'canceled' }), 'Task canceled.')}
      >
        Cancel
      </Button>
      <span class="joined">
        <Button
          variant="danger"
          icon="error"
          onPress={() =>
            act(
              () => tasks.finish(id, { status: 'failed', error: { code: code.value } }),
              `Task failed with ${code.value}.`,
            )
          }
        >
          Fail
        </Button>
        <Choice label="Error code" value={code.value} values={ERROR_CODES} onChoose={setter(code)} />
      </span>
    </fieldset>
  )
}
