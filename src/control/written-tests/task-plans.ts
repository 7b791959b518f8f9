import type { Dialect } from '../../dialects/dialect.js'
import { writeDuration } from '../../engine/clock/durations.js'
import { writeDirective } from '../../engine/directive/directive.js'
import { maskUrl } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Simulator } from '../../simulator/simulator.js'
import { deliveryShape } from '../deliveries.js'
import type { DeliveryShape } from '../shapes.js'
import { DEFAULT_IN_FORCE, type ScenarioInForce } from './scenario-in-force.js'
import {
  createAgain,
  type PlannedRequest,
  pollOfTask,
  repeat,
  type Step,
  type TestPlan,
} from './test-plan.js'

/** What plans of one task share. */
export interface TaskPlanParts {
  readonly task: Task
  readonly dialect: Dialect
  readonly trace: TaskTrace
  readonly seed: string
  /** How many equal tasks were created before it, if known. */
  readonly before: number | undefined
}

/** A plan for a scenario, whose requests create the task as its client did. */
export function plainPlan(
  parts: TaskPlanParts,
  { scenario, key }: ScenarioInForce,
  isFinished: boolean,
): TestPlan {
  const create = createOf(parts, key)
  const earlier = parts.before ?? 0
  const notes =
    earlier === 0
      ? []
      : [`Equal requests get different results, and this task was number ${earlier + 1} of them.`]
  const steps: Step[] = [
    ...(earlier > 0 ? [{ type: 'send', request: create, times: earlier } as const] : []),
    { type: 'send', request: create },
    ...stepsAfterCreation(parts, key, isFinished),
  ]
  return { ...shared(parts), scenario, notes, steps }
}

/** A plan whose request has a directive that fixes the result. */
export function directedPlan(parts: TaskPlanParts, given: ScenarioInForce | undefined): TestPlan {
  const { scenario, key } = given ?? DEFAULT_IN_FORCE
  const create = createOf(parts, key)
  const headers = Object.entries(create.headers).filter(([name]) => name.toLowerCase() !== 'x-sim')
  const request = {
    ...create,
    headers: { ...Object.fromEntries(headers), 'X-Sim': directiveFor(parts.task) },
  }
  return {
    ...shared(parts),
    scenario,
    notes: ['The directive in X-Sim fixes the result: without it, the result depends on earlier requests.'],
    steps: [{ type: 'send', request }, ...stepsAfterCreation(parts, key, false)],
  }
}

function shared({ task, seed, trace }: TaskPlanParts) {
  const { answers, receivers } = trace
  return { seed, dialect: task.dialect, answers, receivers }
}

function createOf({ task, dialect, trace }: TaskPlanParts, key: string): PlannedRequest {
  const { created } = trace
  const isWhole =
    created !== undefined && created.note.requestBody !== undefined && !isForm(created.note.requestBody)
  return isWhole ? repeat(created, dialect, { key }) : createAgain(dialect, task, key)
}

/** A form cannot be repeated, because its files are not in the journal. */
function isForm(body: string): boolean {
  return !body.trimStart().startsWith('{')
}

/** What happened to the task after its creation. */
function stepsAfterCreation(
  { task, dialect, trace }: TaskPlanParts,
  key: string,
  isFinished: boolean,
): Step[] {
  const { createdAt, startedAt = createdAt, completedAt = trace.now, status, polls, error } = task
  const { cancel } = trace
  const idle: Step[] = trace.hasWebhooks ? [{ type: 'idle' }] : []
  if (trace.isHeld) return [{ type: 'hold' }, ...advanceBy(completedAt - createdAt)]
  if (status === 'canceled' && cancel !== undefined) {
    const request = repeat(cancel, dialect, { key, taskId: task.id })
    return [...advanceBy(cancel.at - createdAt), { type: 'send', request }, ...idle]
  }
  if (isFinished && (status === 'succeeded' || status === 'failed' || status === 'canceled'))
    return [...advanceBy(completedAt - createdAt), { type: 'finish', status, error }, ...idle]
  const poll = polls === undefined ? undefined : pollOfTask(dialect, task, key)
  if (poll !== undefined && polls !== undefined)
    return [...advanceBy(startedAt - createdAt), { type: 'send', request: poll, times: polls }, ...idle]
  return [...advanceBy(completedAt - createdAt), ...idle]
}

function advanceBy(ms: number): Step[] {
  return ms > 0 ? [{ type: 'advance', ms }] : []
}

/** The directive with which a task ends as this one did. */
function directiveFor({ status, plan, error, cost, createdAt, startedAt, completedAt }: Task): string {
  const hasEnded = completedAt !== undefined
  const outcome = hasEnded && status !== 'queued' && status !== 'processing' ? status : plan.outcome
  const after = hasEnded ? completedAt - (startedAt ?? createdAt) : 'after' in plan.end ? plan.end.after : 0
  return writeDirective({
    outcome,
    ...(outcome === 'failed' && error !== undefined && { error: error.code, message: error.message }),
    ...('polls' in plan.end && hasEnded
      ? { polls: String(plan.end.polls) }
      : { after: writeDuration(Math.round(after)) }),
    ...(outcome === 'succeeded' && cost !== undefined && { cost: String(toDollars(cost)) }),
  })
}

/** What a simulator knows about a task, apart from the task itself. */
export interface TaskTrace {
  /** The time on the clock of the simulator. */
  readonly now: number
  readonly isHeld: boolean
  /** The request that created it; undefined if the journal has forgotten it. */
  readonly created: AnsweredRequest | undefined
  /** The request that canceled it. */
  readonly cancel: AnsweredRequest | undefined
  /** Whether webhooks about it were sent, and have all ended. */
  readonly hasWebhooks: boolean
  readonly deliveries: readonly DeliveryShape[]
  /** The statuses with which receivers answered, in order; 0 for none. */
  readonly answers: readonly number[]
  readonly receivers: readonly string[]
}

/** The operations that can cancel a task. */
export const CANCELS: ReadonlySet<string> = new Set(['tasks.cancel', 'tasks.delete', 'tasks.cancel_queued'])

/** Collects what a simulator knows about a task. */
export function traceOf(task: Task, sim: Simulator): TaskTrace {
  const requests = requestsAbout(task.id, sim)
  const { deliveries = [] } = sim.webhooks.log.list({ taskId: task.id, limit: 50 }) ?? {}
  const ordered = [...deliveries].reverse()
  const attempts = ordered.flatMap((delivery) => delivery.attempts)
  const known = new Set(sim.scenario.webhooks.receivers.map(({ url }) => url))
  const others = ordered.filter(({ url, isOwn, registration }) => !isOwn && !registration && !known.has(url))
  return {
    now: sim.clock.now(),
    isHeld: task.completedAt === undefined && sim.tasks.isHeld(task.id),
    created: requests.find(({ operation, delivered }) => operation === 'tasks.create' && delivered),
    cancel: requests.find(({ operation = '', status }) => CANCELS.has(operation) && status < 400),
    hasWebhooks: ordered.length > 0 && ordered.every(({ state }) => state !== 'pending'),
    deliveries: ordered.map(deliveryShape),
    answers: attempts.sort((a, b) => a.startedAt - b.startedAt).map(({ status = 0 }) => status),
    receivers: [...new Set(others.map(({ url }) => maskUrl(url)))],
  }
}

/** The requests about a task in the journal, oldest first. */
export function requestsAbout(id: string, { journal }: Simulator): AnsweredRequest[] {
  return journal
    .entries()
    .flatMap((entry) => (entry.type === 'request' && entry.request.taskId === id ? [entry.request] : []))
}
