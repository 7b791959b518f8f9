import type { TaskBriefShape, TaskEntryShape } from '../../../control/shapes.js'
import { ItemStore } from '../item-store.js'
import { ListFilter } from '../list-filter.js'

/** The states of tasks, in the order of the counts. */
export const TASK_STATES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const

/** The filter of the tasks. */
export const TASK_FILTER = new ListFilter(
  {
    status: ({ status, held }: TaskBriefShape) => (held ? [status, 'held'] : status),
    kind: ({ kind }) => kind,
    model: ({ model }) => model,
    dialect: ({ dialect }) => dialect,
    key: ({ key }) => key,
  },
  ({ id, model, prompt, error = '', key }) => `${id} ${model} ${prompt} ${error} ${key}`,
)

/** A store for tasks, each in its latest state. */
export function createTaskStore() {
  return new ItemStore({
    filter: TASK_FILTER,
    choices: ['kind', 'model', 'dialect', 'key'],
    rankOf: ({ created_at: at }) => Date.parse(at),
    isEarlier: (task, known) => stageOf(task) < stageOf(known),
  })
}

/** Increases during the life of a task. */
function stageOf({ status }: Pick<TaskBriefShape, 'status'>): number {
  return status === 'queued' ? 0 : status === 'processing' ? 1 : 2
}

/** The task after an entry of the journal. It stays held until it ends. */
export function taskAfter(
  { task_id: id, number: _, at: __, type: ___, rule: ____, ...brief }: TaskEntryShape,
  before: TaskBriefShape | undefined,
): TaskBriefShape {
  return { ...brief, id, held: stageOf(brief) < 2 && before?.held === true }
}
