import { SIMPLE_PLAN } from '../../src/engine/tasks/task.js'
import type { Plan, Task } from '../../src/index.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'

/** Returns a new task with the given fields and defaults for the others. */
export function aTask({
  plan,
  ...fields
}: Partial<Omit<Task, 'plan'>> & { plan?: Partial<Plan> } = {}): Task {
  return {
    id: 'task_1',
    dialect: 'tasks',
    identity: 1,
    owner: 'sk_one',
    model: 'acme/image-1',
    kind: 'image',
    baseKind: fields.kind ?? 'image',
    input: {},
    inputBytes: 0,
    webhookUrl: undefined,
    origin: 'http://localhost',
    extra: undefined,
    plan: { ...SIMPLE_PLAN, end: { after: 1_000 }, ...plan },
    media: readMediaSpec(fields.kind ?? 'image', fields.input ?? {}),
    follow: undefined,
    status: 'processing',
    createdAt: 0,
    startedAt: 0,
    completedAt: undefined,
    polls: undefined,
    result: undefined,
    error: undefined,
    cost: undefined,
    ...fields,
  }
}
