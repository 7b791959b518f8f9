import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator/simulator.js'
import { Expression, javascript, type Written } from '../code/literal.js'
import type { DeliveryShape, TaskShape } from '../shapes.js'
import { dryRun } from './dry-run.js'
import { scenarioInForce } from './scenario-in-force.js'
import { directedPlan, plainPlan, type TaskPlanParts, type TaskTrace, traceOf } from './task-plans.js'
import type { TestPlan } from './test-plan.js'
import { writeFile } from './write-file.js'
import { writeSteps } from './write-steps.js'

/** The most equal tasks before a task that its test creates, too. */
const MAX_BEFORE = 30

/**
 * A Vitest file in which a task gets the result of an existing one. Carries out each plan first, and returns the
 * simplest one that gives this result.
 * @returns undefined if no plan does
 */
export async function taskTest(task: Task, sim: Simulator): Promise<string | undefined> {
  const trace = traceOf(task, sim)
  const dialect = await sim.dialects.load(task.dialect)
  for (const { plan, isExact } of await plansFor({ task, dialect, trace, seed: sim.seed, before: 0 }, sim)) {
    const run = await dryRun(plan, sim.dialects).catch(() => undefined)
    if (run?.shape === undefined || !isSame(run.task, task, isExact)) continue
    const lines = [
      ...writeSteps(plan, run, dialect),
      'const [task] = (await sim.control.tasks.list({ limit: 1 })).data',
      `expect(task).toMatchObject(${javascript(expectedTask(run.shape))})`,
      ...expectedWebhooks(run.deliveries, trace),
    ]
    return writeFile({ plan, title: titleOf(run.shape), lines })
  }
  return undefined
}

interface Candidate {
  readonly plan: TestPlan
  /** Whether the time and the cost must be those of the task, too. */
  readonly isExact: boolean
}

/** The plans to try, the simplest first. */
async function plansFor(parts: TaskPlanParts, sim: Simulator): Promise<Candidate[]> {
  const given = await scenarioInForce(sim.scenario, parts.task.owner)
  const plain =
    given === undefined
      ? []
      : (await withBefore(parts, sim, plainPlan(parts, given, false))).flatMap((each) =>
          [false, true].map((isFinished) => plainPlan(each, given, isFinished)),
        )
  const directed = [given, undefined].map((each) => directedPlan(parts, each))
  return [
    ...[...plain, ...directed].map((plan) => ({ plan, isExact: true })),
    ...directed.map((plan) => ({ plan, isExact: false })),
  ]
}

/** Finds how many equal tasks were created before, by the id, which depends on this number. */
async function withBefore(parts: TaskPlanParts, sim: Simulator, plan: TestPlan): Promise<TaskPlanParts[]> {
  const [create] = plan.steps
  if (create?.type !== 'send') return [parts]
  for (const times of [1, MAX_BEFORE]) {
    const created = { ...plan, steps: [{ ...create, times }] }
    const run = await dryRun(created, sim.dialects).catch(() => undefined)
    const before = run?.ids.indexOf(parts.task.id) ?? -1
    if (before >= 0) return [{ ...parts, before }]
  }
  return []
}

function isSame(one: Task | undefined, other: Task, isExact: boolean): boolean {
  if (one?.status !== other.status || one.error?.code !== other.error?.code) return false
  return !isExact || (one.cost === other.cost && timeOf(one) === timeOf(other))
}

function timeOf({ createdAt, completedAt }: Task): number | undefined {
  return completedAt && completedAt - createdAt
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
