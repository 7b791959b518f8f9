import type { SavedOverdue } from '../../engine/tasks/retention.js'
import { isTerminal, type Plan, type Task } from '../../engine/tasks/task.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { RowValue } from '../rows/check-row.js'
import type { SavedRow, StatePart } from '../state-part.js'
import { differs, loadDialects } from './row-checks.js'
import { EndSequence, RowNumbers } from './row-numbers.js'
import { changingFields, readPlan, readTask, writeTask } from './saved-task.js'

/**
 * The tasks. The first row of a task has all its fields. Later changes are in a row of another kind, because an input
 * can be large.
 */
export function taskParts(parts: SimulatorParts): StatePart[] {
  const { tasks, events, live } = parts
  const numbers = new RowNumbers()
  const ends = new EndSequence()
  /** The first rows, from {@link StatePart.restore} until the rows of the courses are restored. */
  let first: readonly SavedRow<RowValue<'task'>>[] = []
  /** The numbers of tasks with a row of their course. */
  const changed = new Set<number>()
  /** The numbers of new tasks. Their first row will have their course. */
  const fresh = new Set<number>()

  const courseOf = (task: Task) => ({
    ...changingFields(task),
    ...(isTerminal(task.status)
      ? { ended: ends.of(task.id), overdue: tasks.retention.savedOverdue(task.id) }
      : { saved: tasks.saved(task), followed: live.loaded?.followed.saved(task.id) }),
    sentParts: live.loaded?.sent.of(task.id),
  })

  const firstPart: StatePart<'task'> = {
    kind: 'task',
    prepare: (rows) => loadDialects(parts.dialects, rows, 'dialect', ({ dialect }) => dialect),
    watch(onChanged) {
      events.on('reset.begins', () => {
        numbers.clear()
        ends.clear()
        changed.clear()
        fresh.clear()
      })
      events.on('task.created', ({ id }) => {
        const seq = numbers.add(id)
        fresh.add(seq)
        onChanged(seq)
      })
      events.on('task.forgotten', ({ id }) => onChanged(numbers.of(id)))
    },
    *numbers() {
      for (const id of tasks.retention.endedIds()) ends.add(id)
      for (const task of tasks.all()) yield numbers.add(task.id)
    },
    write(seq) {
      fresh.delete(seq)
      const task = tasks.get(numbers.idOf(seq))
      return task && { value: writeTask(task, courseOf(task)) }
    },
    restore(rows) {
      first = rows
    },
  }

  const coursePart: StatePart<'course'> = {
    kind: 'course',
    watch(onChanged) {
      const changedId = (id: string) => {
        const seq = numbers.of(id)
        if (fresh.has(seq)) return
        changed.add(seq)
        onChanged(seq)
      }
      const changedTask = ({ id }: Task) => changedId(id)
      events.on('task.scheduled', changedId)
      events.on('task.started', changedTask)
      events.on('task.polled', changedTask)
      events.on('task.held', changedId)
      events.on('task.released', changedId)
      events.on('task.erased', changedTask)
      events.on('task.overdue', changedId)
      events.on('task.shown', changedId)
      events.on('task.finished', ({ id }) => {
        ends.add(id)
        changedId(id)
      })
      // The handler of the first rows has run before.
      events.on('task.forgotten', ({ id }) => {
        const seq = numbers.of(id)
        if (changed.delete(seq)) onChanged(seq)
        numbers.delete(id)
        ends.delete(id)
      })
    },
    numbers: () => changed,
    write(seq) {
      const task = tasks.get(numbers.idOf(seq))
      return task && { value: courseOf(task) }
    },
    restore(rows) {
      const later = new Map<number, SavedRow<RowValue<'course'>>>()
      for (const row of rows) {
        changed.add(row.seq)
        later.set(row.seq, row)
      }
      const ended: { task: Task; order: number; overdue: SavedOverdue | undefined }[] = []
      for (const { seq, value } of first) {
        const course = later.get(seq)?.value ?? value.course
        if (tasks.get(value.id) !== undefined) throw new Error(differs('id', value.id))
        const task = readTask(value, course, recordedOf(parts, value))
        numbers.restore(task.id, seq)
        tasks.restore(task, course.saved ?? {})
        restoreShown(parts, task, course)
        if (course.ended !== undefined) ended.push({ task, order: course.ended, overdue: course.overdue })
      }
      first = []
      ended.sort((a, b) => a.order - b.order)
      for (const { task, order, overdue } of ended) {
        ends.add(task.id, order)
        tasks.retention.restoreEnded(task, overdue)
      }
    },
    complete: () => tasks.retention.trim(),
  }
  return [firstPart, coursePart]
}

/** Restores what clients were shown of a task before its end. */
function restoreShown(
  { live }: SimulatorParts,
  task: Task,
  { followed, sentParts }: RowValue<'course'>,
): void {
  if (followed === undefined && sentParts === undefined) return
  const shown = live.of(task.dialect)
  if (followed !== undefined) shown?.followed.restore(task, { ...followed, job: followed.job })
  if (sentParts !== undefined) shown?.sent.set(task.id, sentParts)
}

function recordedOf(
  { active }: SimulatorParts,
  { plan, dialect, model, input }: RowValue<'task'>,
): Plan['recorded'] {
  const id = plan.recorded?.id
  if (id === undefined) return undefined
  return active.current.recorded?.courseOf({ dialect, model, input, id }, readPlan(plan, undefined))
}

/** How often each order without a remaining task has occurred. The number of a row is the fingerprint of the order. */
export function occurrencePart({ tasks, events }: SimulatorParts): StatePart<'occurrences'> {
  return {
    kind: 'occurrences',
    watch(changed) {
      events.on('task.forgotten', ({ identity }) => changed(identity))
    },
    numbers: () => tasks.factory.occurrences.releasedKeys(),
    write(seq) {
      const released = tasks.factory.occurrences.releasedOf(seq)
      return released === 0 ? undefined : { value: released }
    },
    restore(rows) {
      for (const { seq, value } of rows) tasks.factory.occurrences.restoreReleased(seq, value)
    },
  }
}
