import { logsOf } from '../../progress/log-lines.js'
import { progressOf } from '../../progress/progress-of.js'
import { DEFAULT_TASK_ERROR, type Plan, SIMPLE_PLAN, type Status, type Task } from '../../tasks/task.js'
import type { TaskAtEvent } from '../webhook-format.js'
import { isEndEvent, type TaskEvent } from './task-event.js'

const OUTPUT = { images: ['https://example.com/files/0.png'] }

const CREATED_AT = Date.UTC(2026, 0, 1)
const HALFWAY = CREATED_AT + 1_000
const COMPLETED_AT = CREATED_AT + 2_000

/** A task that does not exist, for an example of its event. */
export function exampleState(event: TaskEvent, dialect: string, id: string): TaskAtEvent {
  const task = exampleTask(event, dialect, id)
  const at = task.completedAt ?? HALFWAY
  return {
    task,
    at,
    output: task.status === 'succeeded' || event === 'task.output' ? OUTPUT : undefined,
    progress: () => progressOf(task, { now: at }),
    logs: () => logsOf(task, { now: at }),
  }
}

function exampleTask(event: TaskEvent, dialect: string, id: string): Task {
  const isEnd = isEndEvent(event)
  const status = statusOf(event)
  return {
    id,
    dialect,
    identity: 0,
    owner: '',
    model: 'example/image',
    kind: 'image',
    baseKind: 'image',
    input: { prompt: 'a lighthouse at dawn' },
    inputBytes: 0,
    webhookUrl: undefined,
    origin: 'https://example.com',
    extra: undefined,
    plan: PLAN,
    media: undefined,
    follow: undefined,
    status,
    createdAt: CREATED_AT,
    startedAt: status === 'queued' ? undefined : CREATED_AT,
    completedAt: isEnd ? COMPLETED_AT : undefined,
    polls: undefined,
    result: undefined,
    error: status === 'failed' ? DEFAULT_TASK_ERROR : undefined,
    cost: isEnd ? 0 : undefined,
  }
}

function statusOf(event: TaskEvent): Status {
  if (isEndEvent(event)) return event.slice('task.'.length) as Status
  return event === 'task.queued' ? 'queued' : 'processing'
}

const PLAN: Plan = { ...SIMPLE_PLAN, end: { after: COMPLETED_AT - CREATED_AT } }
