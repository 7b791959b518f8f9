import type { Status, Task } from '../tasks/task.js'
import type { TaskEvent } from './webhook-format.js'

/** The output of an example. */
export const EXAMPLE_OUTPUT = { images: ['https://example.com/files/0.png'] }

const CREATED_AT = Date.UTC(2026, 0, 1)
const COMPLETED_AT = CREATED_AT + 2_000

const ERROR = { code: 'generation_failed', message: 'The generation could not be completed.' }

/** A task that does not exist, for an example of its event. */
export function exampleTask(event: TaskEvent, dialect: string, id: string): Task {
  const status = event.slice('task.'.length) as Status
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
    startedAt: CREATED_AT,
    completedAt: COMPLETED_AT,
    polls: undefined,
    result: undefined,
    error: status === 'failed' ? ERROR : undefined,
    cost: 0,
  }
}

const PLAN: Task['plan'] = {
  outcome: 'succeeded',
  end: { after: COMPLETED_AT - CREATED_AT },
  error: undefined,
  price: {},
  output: undefined,
  reply: undefined,
  files: undefined,
  rule: undefined,
  webhookFault: undefined,
}
