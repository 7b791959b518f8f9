import type { Plan, Task } from '../../engine/tasks/task.js'
import type { RowValue } from '../rows/check-row.js'

/** The fields of a task that change. */
type Changing = Pick<
  Task,
  'status' | 'startedAt' | 'completedAt' | 'polls' | 'result' | 'error' | 'cost' | 'erasedAt'
>

/** The first row of a task. Only its course has the fields that change. */
type SavedTask = RowValue<'task'>
type TaskCourse = RowValue<'course'>
/** A task in the journal. */
type RecordedTask = Extract<RowValue<'journal'>['entries'][number], { readonly type: 'task' }>['task']

/** The fields of a task that change. */
export function changingFields(task: Task): Changing {
  return {
    status: task.status,
    startedAt: task.startedAt,
    completedAt: task.completedAt,
    polls: task.polls,
    result: task.result,
    error: task.error,
    cost: task.cost,
    erasedAt: task.erasedAt,
  }
}

// Copying a task and overwriting fields is faster than copying it without them. JSON has no undefined fields.
const NONE: Partial<Record<keyof Changing, undefined>> = {
  status: undefined,
  startedAt: undefined,
  completedAt: undefined,
  polls: undefined,
  result: undefined,
  error: undefined,
  cost: undefined,
  erasedAt: undefined,
}

/** Writes the first row of a task. A recorded course is found again by its id. */
export function writeTask(task: Task, course: object): object {
  const { plan } = task
  return {
    ...task,
    ...NONE,
    plan: { ...plan, recorded: plan.recorded && { id: plan.recorded.id } },
    course,
  }
}

/** Reads a task. It sets all fields in the order of a new task, so that all tasks have the same shape for V8. */
export function readTask(
  task: SavedTask | RecordedTask,
  course: TaskCourse | RecordedTask,
  recorded: Plan['recorded'],
): Task {
  return {
    id: task.id,
    owner: task.owner,
    dialect: task.dialect,
    status: course.status,
    result: course.result && { files: course.result.files, output: course.result.output },
    plan: readPlan(task.plan, recorded),
    model: task.model,
    kind: task.kind,
    baseKind: task.baseKind,
    input: task.input,
    inputBytes: task.inputBytes,
    identity: task.identity,
    webhookUrl: task.webhookUrl,
    origin: task.origin,
    extra: task.extra,
    media: task.media,
    follow: task.follow,
    trace: task.trace,
    createdAt: task.createdAt,
    startedAt: course.startedAt,
    completedAt: course.completedAt,
    polls: course.polls,
    error: course.error,
    cost: course.cost,
    ...(course.erasedAt !== undefined && { erasedAt: course.erasedAt }),
  }
}

/** Reads a plan. */
export function readPlan(plan: RecordedTask['plan'], recorded: Plan['recorded']): Plan {
  return {
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
  }
}
