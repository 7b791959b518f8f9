import { Menu } from '../../parts/menu.js'
import { taskLink, taskList } from '../../state/tasks.js'

const MAX_SHOWN = 50

/** Compares a task with one of the latest tasks: those of the same model come first, because they are the likeliest choice. */
export function CompareMenu({ id }: { readonly id: string }) {
  const { store } = taskList
  const own = store.get(id)?.model
  const others = store.list((task) => task.id !== id)
  const sorted = others.sort((a, b) => Number(b.model === own) - Number(a.model === own))
  return (
    <Menu
      icon="compare"
      text="Compare with…"
      items={sorted.slice(0, MAX_SHOWN).map((task) => ({
        label: task.prompt || task.id,
        note: `${task.model}, ${task.error ?? task.status}`,
        href: taskLink(id, { compare: task.id }),
      }))}
    />
  )
}
