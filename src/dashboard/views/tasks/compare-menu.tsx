import { Menu } from '../../parts/menu.js'
import { taskLink, taskList } from '../../state/tasks.js'

const MAX_SHOWN = 50

/** Compares a task with one of the latest tasks: those of the same model come first, because they are the likeliest choice. */
export function CompareMenu({ id }: { readonly id: string }) {
  const { store } = taskList
  const own = store.get(id)?.model
  const [same, others] = [true, false].map((isSame) =>
    store.list((task) => task.id !== id && (task.model === own) === isSame),
  )
  const tasks = [...(same ?? []), ...(others ?? [])].slice(0, MAX_SHOWN)
  return (
    <Menu
      icon="compare"
      text="Compare with…"
      items={tasks.map((task) => ({
        label: task.prompt || task.id,
        note: `${task.model}, ${task.error ?? task.status}`,
        href: taskLink(id, { compare: task.id }),
      }))}
    />
  )
}
