import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator.js'
import { type DryRun, dryRun } from './dry-run.js'
import { scenarioInForce } from './scenario-in-force.js'
import { directedPlan, plainPlan, type TaskPlanParts } from './task-plans.js'
import { type TaskTrace, traceOf } from './task-trace.js'
import type { TestPlan } from './test-plan.js'
import { writeTaskTest } from './write-task-test.js'

/** The most equal tasks before a task that its test creates, too. */
const MAX_BEFORE = 30

/**
 * A Vitest file in which a task gets the result of an existing one. Carries out each plan first, and returns the
 * simplest one that gives this result.
 * @returns undefined if no plan does
 */
export async function taskTest(task: Task, sim: Simulator): Promise<string | undefined> {
  const trace = traceOf(task, sim)
  for (const { plan, isExact } of await plansFor(task, trace, sim)) {
    const run = await dryRun(plan, sim.dialects).catch(() => undefined)
    if (run?.task !== undefined && isSame(run.task, task, isExact))
      return writeTaskTest({ plan, run, trace, dialect: await sim.dialects.load(task.dialect) })
  }
  return undefined
}

interface Candidate {
  readonly plan: TestPlan
  /** Whether the time and the cost must be those of the task, too. */
  readonly isExact: boolean
}

/** The plans to try, the simplest first. */
async function plansFor(task: Task, trace: TaskTrace, sim: Simulator): Promise<Candidate[]> {
  const dialect = await sim.dialects.load(task.dialect)
  const given = await scenarioInForce(sim.scenario, task.owner)
  const parts = { task, dialect, trace, seed: sim.seed, before: 0 }
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
    const run: DryRun | undefined = await dryRun(
      { ...plan, steps: [{ ...create, times }] },
      sim.dialects,
    ).catch(() => undefined)
    const before = run?.ids.indexOf(parts.task.id) ?? -1
    if (before >= 0) return [{ ...parts, before }]
  }
  return []
}

function isSame(one: Task, other: Task, isExact: boolean): boolean {
  if (one.status !== other.status || one.error?.code !== other.error?.code) return false
  return !isExact || (one.cost === other.cost && timeOf(one) === timeOf(other))
}

function timeOf({ createdAt, completedAt }: Task): number | undefined {
  return completedAt && completedAt - createdAt
}
