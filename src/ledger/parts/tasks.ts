import type { SavedFollowing } from '../../engine/progress/followed-tasks.js'
import type { SavedOverdue } from '../../engine/tasks/retention.js'
import type { SavedCourse } from '../../engine/tasks/saved-course.js'
import { isTerminal, type Plan, type Task } from '../../engine/tasks/task.js'
import type { SimulatorParts } from '../../simulator-parts.js'
import type { SavedRow, StatePart } from '../state-part.js'

/** The fields of a task that change. */
const CHANGING = [
  'status',
  'startedAt',
  'completedAt',
  'polls',
  'result',
  'error',
  'cost',
  'erasedAt',
] as const

/** The fields of a task that change, and what determines its further course. */
type Course = Pick<Task, (typeof CHANGING)[number]> & {
  readonly saved?: SavedCourse
  /** Its place in the order of the ends. */
  readonly ended?: number | undefined
  /** Set if the task is kept only because a delivery is pending. */
  readonly overdue?: SavedOverdue | undefined
  /** Set if the simulator reports the progress of the task. */
  readonly followed?: SavedFollowing | undefined
  /** The number of parts of its output that were sent. */
  readonly sentParts?: number | undefined
}

/**
 * The tasks. The first row of a task has all its fields. Later changes are in a row of another kind, because an input
 * can be large.
 */
export function taskParts(parts: SimulatorParts): StatePart[] {
  const { tasks, events, live } = parts
  const numbers = new TaskNumbers()
  /** Each task with the course that its first row contains. */
  const restored = new Map<number, { task: Task; course: Course }>()
  /** The numbers of tasks with a row of their course. */
  const changed = new Set<number>()

  const courseOf = (task: Task): Course =>
    ({
      ...Object.fromEntries(CHANGING.map((name) => [name, task[name]])),
      status: task.status,
      ...(isTerminal(task.status)
        ? { ended: numbers.endOf(task.id), overdue: tasks.retention.savedOverdue(task.id) }
        : { saved: tasks.savedCourse(task.id), followed: live.loaded?.followed.saved(task.id) }),
      sentParts: live.loaded?.sent.of(task.id),
    }) as Course

  const first: StatePart = {
    kind: 'task',
    async prepare(rows) {
      for (const name of new Set(rows.map(({ value }) => value.dialect))) await parts.dialects.load(name)
    },
    watch(onChanged) {
      events.on('reset.begins', () => {
        numbers.clear()
        changed.clear()
      })
      events.on('task.created', ({ id }) => onChanged(numbers.add(id)))
      events.on('task.forgotten', ({ id }) => onChanged(numbers.of(id)))
    },
    *numbers() {
      for (const id of tasks.retention.endedIds()) numbers.end(id)
      for (const task of tasks.all()) yield numbers.add(task.id)
    },
    write(seq) {
      const task = tasks.get(numbers.idOf(seq))
      if (task === undefined) return undefined
      const { plan } = task
      const recorded = plan.recorded && { id: plan.recorded.id }
      return { value: { ...task, plan: { ...plan, recorded }, course: courseOf(task) } }
    },
    restore(rows) {
      for (const { seq, value } of rows) {
        const { course, ...task } = value
        restored.set(seq, { task, course })
        numbers.restore(task.id, seq)
      }
    },
  }

  const course: StatePart = {
    kind: 'course',
    watch(onChanged) {
      const changedId = (id: string) => {
        const seq = numbers.of(id)
        changed.add(seq)
        onChanged(seq)
      }
      const changedTask = ({ id }: Task) => changedId(id)
      events.on('task.placed', changedId)
      events.on('task.started', changedTask)
      events.on('task.polled', changedTask)
      events.on('task.held', changedId)
      events.on('task.released', changedId)
      events.on('task.erased', changedTask)
      events.on('task.overdue', changedId)
      events.on('task.shown', changedId)
      events.on('task.finished', ({ id }) => {
        numbers.end(id)
        changedId(id)
      })
      // The handler of the first rows has run before.
      events.on('task.forgotten', ({ id }) => {
        const seq = numbers.of(id)
        if (changed.delete(seq)) onChanged(seq)
        numbers.delete(id)
      })
    },
    numbers: () => changed,
    write(seq) {
      const task = tasks.get(numbers.idOf(seq))
      return task && { value: courseOf(task) }
    },
    restore(rows) {
      const later = new Map(rows.map(({ seq, value }: SavedRow) => [seq, value as Course]))
      const ended: { task: Task; order: number; overdue: SavedOverdue | undefined }[] = []
      for (const [seq, { task, course: initial }] of restored) {
        const course = later.get(seq) ?? initial
        if (later.has(seq)) changed.add(seq)
        const whole = wholeTask(task, course, recordedOf(parts, task))
        tasks.restore(whole, course.saved ?? {})
        restoreShown(parts, whole, course)
        if (course.ended !== undefined)
          ended.push({ task: whole, order: course.ended, overdue: course.overdue })
      }
      restored.clear()
      ended.sort((a, b) => a.order - b.order)
      for (const { task, order, overdue } of ended) {
        numbers.end(task.id, order)
        tasks.retention.restoreEnded(task, overdue)
      }
    },
    complete: () => tasks.retention.trim(),
  }
  return [first, course]
}

/** Restores what clients were shown of a task before its end. */
function restoreShown({ live }: SimulatorParts, task: Task, { followed, sentParts }: Course): void {
  if (followed === undefined && sentParts === undefined) return
  const shown = live.of(task.dialect)
  if (followed !== undefined) shown?.followed.restore(task, followed)
  if (sentParts !== undefined) shown?.sent.set(task.id, sentParts)
}

function recordedOf({ active }: SimulatorParts, task: Task): Plan['recorded'] {
  const { plan } = task
  const id = plan.recorded?.id
  return id === undefined ? undefined : active.current.recorded?.courseOf({ ...task, id }, plan)
}

/** Sets all fields, so that all tasks have the same shape for V8. */
function wholeTask(task: Task, course: Course, recorded: Plan['recorded']): Task {
  const { plan } = task
  return {
    id: task.id,
    dialect: task.dialect,
    identity: task.identity,
    owner: task.owner,
    model: task.model,
    kind: task.kind,
    baseKind: task.baseKind,
    input: task.input,
    inputBytes: task.inputBytes,
    webhookUrl: task.webhookUrl,
    origin: task.origin,
    extra: task.extra,
    plan: {
      outcome: plan.outcome,
      queueing: plan.queueing,
      end: plan.end,
      error: plan.error,
      price: plan.price,
      output: plan.output,
      reply: plan.reply,
      files: plan.files,
      rule: plan.rule,
      webhookFault: plan.webhookFault,
      recorded,
    },
    media: task.media,
    follow: task.follow,
    trace: task.trace,
    status: course.status,
    createdAt: task.createdAt,
    startedAt: course.startedAt,
    completedAt: course.completedAt,
    polls: course.polls,
    result: course.result && { files: course.result.files, output: course.result.output },
    error: course.error,
    cost: course.cost,
    ...(course.erasedAt !== undefined && { erasedAt: course.erasedAt }),
  }
}

/** Numbers tasks in the order of their creation, and of their ends. */
class TaskNumbers {
  readonly #numbers = new Map<string, number>()
  readonly #ids = new Map<number, string>()
  readonly #ends = new Map<string, number>()
  #last = 0
  #lastEnd = 0

  add(id: string): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#last += 1
    this.restore(id, this.#last)
    return this.#last
  }

  restore(id: string, seq: number): void {
    this.#numbers.set(id, seq)
    this.#ids.set(seq, id)
    this.#last = Math.max(this.#last, seq)
  }

  of(id: string): number {
    return this.#numbers.get(id) ?? 0
  }

  idOf(seq: number): string {
    return this.#ids.get(seq) ?? ''
  }

  end(id: string, order = this.#lastEnd + 1): void {
    if (this.#ends.has(id)) return
    this.#ends.set(id, order)
    this.#lastEnd = Math.max(this.#lastEnd, order)
  }

  delete(id: string): void {
    this.#ids.delete(this.of(id))
    this.#numbers.delete(id)
    this.#ends.delete(id)
  }

  clear(): void {
    this.#ids.clear()
    this.#numbers.clear()
    this.#ends.clear()
  }

  endOf(id: string): number | undefined {
    return this.#ends.get(id)
  }
}
