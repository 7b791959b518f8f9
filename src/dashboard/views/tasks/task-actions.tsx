import { useSignal } from '@preact/signals'
import type { TaskShape } from '../../../control/shapes.js'
import { ERROR_CODES } from '../../model/compose/directive-choices.js'
import { Button, type ButtonProps } from '../../parts/button.js'
import { Choice } from '../../parts/choices.js'
import { bound, useFocusLeftTo } from '../../parts/hooks.js'
import { runAction } from '../../state/notifications.js'
import { control } from '../../state/session.js'

/** The id of the heading that gets the focus when the buttons disappear. */
export const TASK_TITLE = 'task-title'

/** The buttons that end, hold or release a task. */
export function TaskActions({ task }: { readonly task: TaskShape }) {
  const code = useSignal<string>('internal_error')
  const { id, held } = task
  const box = useFocusLeftTo<HTMLFieldSetElement>(`#${TASK_TITLE}`)
  if (task.completed_at !== undefined) return null
  const { tasks } = control.value
  const actions: readonly (ButtonProps & { readonly children: string })[] = [
    {
      variant: 'accent',
      icon: 'done',
      children: 'Finish',
      onPress: () => runAction(() => tasks.finish(id, { status: 'succeeded' }), 'Task finished.'),
    },
    held
      ? {
          icon: 'play',
          children: 'Release',
          onPress: () => runAction(() => tasks.release(id), 'Task released.'),
        }
      : { icon: 'pause', children: 'Hold', onPress: () => runAction(() => tasks.hold(id), 'Task held.') },
    {
      icon: 'close',
      children: 'Cancel',
      onPress: () => runAction(() => tasks.finish(id, { status: 'canceled' }), 'Task canceled.'),
    },
  ]
  const fail = () => {
    const error = { code: code.value }
    return runAction(() => tasks.finish(id, { status: 'failed', error }), `Task failed with ${code.value}.`)
  }
  return (
    <fieldset ref={box} class="actions" aria-label="Actions">
      {actions.map((action) => (
        <Button key={action.icon} {...action} />
      ))}
      <span class="joined">
        <Button variant="danger" icon="error" onPress={fail}>
          Fail
        </Button>
        <Choice label="Error code" values={ERROR_CODES} {...bound(code)} />
      </span>
    </fieldset>
  )
}
