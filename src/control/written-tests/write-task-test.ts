import type { Dialect } from '../../dialects/dialect.js'
import { javascript } from '../code/javascript.js'
import { Expression, type Written } from '../code/literal.js'
import type { DeliveryShape, TaskShape } from '../shapes.js'
import type { DryRun } from './dry-run.js'
import type { TaskTrace } from './task-trace.js'
import type { TestPlan } from './test-plan.js'
import { writeFile } from './write-file.js'
import { writeSteps } from './write-steps.js'

/** Writes the test of a task from a plan that was carried out. */
export function writeTaskTest({
  plan,
  run,
  trace,
  dialect,
}: {
  readonly plan: TestPlan
  readonly run: DryRun
  readonly trace: TaskTrace
  readonly dialect: Dialect
}): string {
  const { shape } = run
  if (shape === undefined) throw new Error('Expected a task.')
  const lines = [
    ...writeSteps(plan, run, dialect),
    'const [task] = (await sim.control.tasks.list({ limit: 1 })).data',
    `expect(task).toMatchObject(${javascript(expectedTask(shape))})`,
    ...expectedWebhooks(run.deliveries, trace),
  ]
  return writeFile({ plan, title: titleOf(shape), lines })
}

function titleOf({ model, status, error, created_at: created, completed_at: completed }: TaskShape): string {
  const time = completed === undefined ? undefined : (Date.parse(completed) - Date.parse(created)) / 1_000
  const reason = error === undefined ? '' : ` with ${error.code}`
  return `a task of ${model} ${VERBS[status]}${reason}${time === undefined ? '' : ` after ${time} s`}`
}

const VERBS: Readonly<Record<TaskShape['status'], string>> = {
  queued: 'waits',
  processing: 'is still running',
  succeeded: 'succeeds',
  failed: 'fails',
  canceled: 'is canceled',
}

function expectedTask({ status, error, cost_usd: cost, output }: TaskShape): Written {
  return {
    status,
    error: error && { code: error.code },
    cost_usd: cost,
    output: output == null ? undefined : shapeOf(output),
  }
}

/** The longest text that a test compares. */
const MAX_TEXT = 60

/** The form of an output: its fields, and the number of its files. */
function shapeOf(value: unknown): Written {
  if (typeof value === 'string') {
    if (/^https?:/.test(value)) return new Expression("expect.stringContaining('/files/')")
    return value.length > MAX_TEXT ? new Expression('expect.any(String)') : value
  }
  if (Array.isArray(value))
    return value.length > 8 ? new Expression('expect.any(Array)') : value.map((each) => shapeOf(each))
  if (typeof value !== 'object' || value === null) return value as Written
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
}

/** The deliveries, if they are those that the task had. */
function expectedWebhooks(
  deliveries: readonly DeliveryShape[],
  { deliveries: had, hasWebhooks }: TaskTrace,
): string[] {
  if (!hasWebhooks) return []
  const expected = deliveries.map(summaryOf)
  if (JSON.stringify(expected) !== JSON.stringify(had.map(summaryOf))) return []
  return [
    "const { data: deliveries } = await sim.control.deliveries.list({ task: task?.id ?? '' }) // newest first",
    `expect(deliveries).toMatchObject(${javascript([...expected].reverse())})`,
  ]
}

function summaryOf({ event, state, attempts, fault }: DeliveryShape): Written {
  return {
    event,
    state,
    fault,
    // A receiver must reject an attempt with a flaw, such as a forged signature.
    attempts: attempts.map(({ status, flaw }) => ({ status, flaw })),
  }
}
