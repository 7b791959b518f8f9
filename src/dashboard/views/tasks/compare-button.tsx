import { useSignal } from '@preact/signals'
import { TASK_FILTER } from '../../model/tasks/task-store.js'
import { Instant, StateMark } from '../../parts/badges.js'
import { Dialog, DialogButton } from '../../parts/dialog.js'
import { taskLink, taskList } from '../../state/tasks.js'

const MAX_SHOWN = 30

/** Asks for a second task, and opens the comparison with it. */
export function CompareButton({ id }: { readonly id: string }) {
  return (
    <DialogButton icon="compare" text="Compare with…">
      {(close) => <SecondTask id={id} onClose={close} />}
    </DialogButton>
  )
}

function SecondTask({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const text = useSignal('')
  const { store, version } = taskList
  version.value
  const matches = TASK_FILTER.test({ text: text.value })
  const others = store.list((task) => task.id !== id && matches(task))
  const own = store.get(id)?.model
  // A task of the same model is the likeliest choice.
  const shown = [
    ...others.filter(({ model }) => model === own),
    ...others.filter(({ model }) => model !== own),
  ].slice(0, MAX_SHOWN)
  return (
    <Dialog title="Compare with another task" onClose={onClose}>
      <input
        type="search"
        aria-label="Search tasks"
        placeholder="Search prompt, model, id, error"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Enter' && key !== 'ArrowDown') return
          currentTarget.parentElement?.querySelector<HTMLElement>('.compare-choice')?.focus()
        }}
      />
      <ul class="compare-choices" aria-label="Tasks">
        {shown.map((task) => (
          <li key={task.id}>
            <a class="compare-choice" href={taskLink(id, { compare: task.id })} onKeyDown={moveFocus}>
              <StateMark state={task.status} />
              <span class="row-title">{task.prompt === '' ? task.id : task.prompt}</span>
              <Instant at={task.created_at} />
              <span class="small">
                {task.model} {task.error}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">No other task matches.</p>}
      {others.length > shown.length && (
        <p class="hint">Search to find the other {others.length - shown.length} tasks.</p>
      )}
    </Dialog>
  )
}

/** The arrow keys move through the choices, and from the first one to the search. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { key, currentTarget } = event
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return
  event.preventDefault()
  const item = currentTarget.parentElement
  const next = key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling
  const target = next?.firstElementChild ?? (key === 'ArrowUp' ? search(currentTarget) : undefined)
  if (target instanceof HTMLElement) target.focus()
}

function search(choice: HTMLElement): HTMLElement | null | undefined {
  return choice.closest('dialog')?.querySelector<HTMLElement>('input')
}
