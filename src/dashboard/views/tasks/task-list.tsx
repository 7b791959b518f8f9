import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { NO_FILTER } from '../../model/filters.js'
import { scrollTo, virtualWindow } from '../../model/virtual-window.js'
import { Button } from '../../parts/button.js'
import { Empty } from '../../parts/empty.js'
import { navigate, route } from '../../state/route.js'
import { filter, filteredTasks, isLoading } from '../../state/session.js'
import { ROW_HEIGHT, TaskRow } from './task-row.js'

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** The tasks that match the filter. Only the visible rows are rendered. */
export function TaskList() {
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal({ top: 0, height: 600 })
  const active = useSignal<string | undefined>(route.value.id)
  const tasks = filteredTasks.value
  useSize(box, (height) => {
    view.value = { ...view.value, height }
  })
  useAnchor(box, tasks)

  const index = tasks.findIndex(({ id }) => id === active.value)
  const move = (step: number) => {
    const next = Math.min(tasks.length - 1, Math.max(0, index === -1 ? 0 : index + step))
    const task = tasks[next]
    if (task === undefined || box.current === null) return
    active.value = task.id
    box.current.scrollTop = scrollTo(next, ROW_HEIGHT, box.current.scrollTop, box.current.clientHeight)
    // On wide screens, the open task follows the active row.
    if (route.value.id !== undefined) navigate({ view: 'tasks', id: task.id })
  }
  const press = (event: KeyboardEvent) => {
    const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : undefined
    if (step !== undefined) move(step)
    else if (event.key === 'Enter' && index !== -1) navigate({ view: 'tasks', id: active.value })
    else return
    event.preventDefault()
  }
  useEffect(() => {
    const pressAnywhere = (event: KeyboardEvent) => {
      const isListKey = event.target === document.body && (event.key === 'j' || event.key === 'k')
      if (!isListKey) return
      box.current?.focus()
      press(event)
    }
    document.addEventListener('keydown', pressAnywhere)
    return () => document.removeEventListener('keydown', pressAnywhere)
  })

  if (tasks.length === 0 && !isLoading.value) return <NoMatches />
  const { first, end, offset, height } = virtualWindow(
    tasks.length,
    ROW_HEIGHT,
    view.value.top,
    view.value.height,
  )
  return (
    <div
      ref={box}
      data-list
      class="list"
      role="listbox"
      aria-label="Tasks, newest first"
      tabIndex={0}
      aria-activedescendant={index >= first && index < end ? `row-${active.value}` : undefined}
      onKeyDown={press}
      onScroll={({ currentTarget }) => {
        view.value = { ...view.value, top: currentTarget.scrollTop }
      }}
    >
      <div class="list-all" role="presentation" style={{ height: `${height}px` }}>
        <div class="list-seen" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {tasks.slice(first, end).map((task, row) => (
            <TaskRow
              key={task.id}
              task={task}
              position={first + row + 1}
              count={tasks.length}
              isActive={task.id === active.value}
              isOpen={task.id === route.value.id}
              onOpen={() => {
                active.value = task.id
                navigate({ view: 'tasks', id: task.id })
              }}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function NoMatches() {
  return (
    <Empty icon="search" title="No matching tasks">
      <p>No task matches the current filters.</p>
      <Button
        onPress={() => {
          filter.value = NO_FILTER
        }}
      >
        Show all tasks
      </Button>
    </Empty>
  )
}

function useSize(box: { readonly current: HTMLElement | null }, onResize: (height: number) => void): void {
  useLayoutEffect(() => {
    if (box.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && onResize(entry.contentRect.height))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box.current === null])
}

/** Keeps the visible rows in place when new tasks appear above them. */
function useAnchor(
  box: { readonly current: HTMLElement | null },
  tasks: readonly { readonly id: string }[],
): void {
  const before = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const added = before.current === undefined ? 0 : tasks.findIndex(({ id }) => id === before.current)
    const list = box.current
    if (list !== null && added > 0 && list.scrollTop > ROW_HEIGHT) list.scrollTop += added * ROW_HEIGHT
    before.current = tasks[0]?.id
  }, [tasks])
}
