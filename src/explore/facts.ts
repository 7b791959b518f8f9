import { stopwatch } from '../engine/clock/system-clock.js'
import type { Exploration } from '../engine/exploration/exploration.js'
import { isTerminal, type Task } from '../engine/tasks/task.js'
import { createFindingContext, type FindingContext } from '../inspect/findings/finding-context.js'
import { isAccepted, isGenuine, type WebhookAttempt } from '../inspect/findings/task-history.js'
import type { Simulator } from '../simulator/simulator.js'
import { Progress } from './progress.js'
import type { RunFacts } from './run.js'
import { taskFacts } from './task-facts.js'
import { timelineOf } from './timeline.js'

/** Brings the tasks of a run to their end, see {@link settle}, and collects what the simulator has seen of the run. */
export async function factsOf(sim: Simulator, exploration: Exploration): Promise<RunFacts> {
  const { lasted } = progressOf(sim)
  sim.clock.freeze()
  const running = new Set([...sim.tasks.all()].filter(isRunning).map(({ id }) => id))
  await settle(sim, running)
  const { findings } = await sim.verdict({ final: true })
  const input = sim.findingInput({ final: true })
  const context = createFindingContext(input)
  const histories = context.histories.flatMap((history) => {
    const task = sim.tasks.get(history.id) ?? history.task
    return task === undefined ? [] : [{ history, task }]
  })
  const tasks = histories.map(({ history, task }) =>
    taskFacts(history, task, context, exploration, running.has(task.id)),
  )
  return {
    places: exploration.places,
    orders: exploration.orders,
    tasks,
    requests: context.requests.length,
    cost: tasks.reduce((sum, { cost }) => sum + cost, 0),
    findings,
    acceptedForgeries: context.signedAttempts.filter(isAcceptedForgery).length,
    rejectedWebhooks: rejectedWebhooks(context, exploration),
    applied: [...exploration.applied],
    timeline: timelineOf(input, exploration),
    lasted,
  }
}

function progressOf(sim: Simulator): Progress {
  const progress = new Progress(sim)
  progress.stop()
  return progress
}

/** A receiver may accept the secret before a rotation for some time. */
function isAcceptedForgery({ attempt }: WebhookAttempt): boolean {
  return isAccepted(attempt) && attempt.flaw !== undefined && attempt.flaw !== 'previous_secret'
}

/** A receiver that does not answer may have ended in time. */
function rejectedWebhooks({ webhookAttempts }: FindingContext, exploration: Exploration): string[] {
  const answered = webhookAttempts.filter(({ attempt }) => isGenuine(attempt) && attempt.status !== undefined)
  const accepted = new Set(
    answered.filter(({ attempt }) => isAccepted(attempt)).map(({ delivery }) => delivery.id),
  )
  const rejected = answered.filter(({ delivery }) => !accepted.has(delivery.id))
  const lines = rejected.map(
    ({ delivery: { taskEvent, taskId }, attempt: { status } }) =>
      `${taskEvent}#${exploration.numberOf(taskId)}: ${status}`,
  )
  return [...new Set(lines)]
}

/** How long to wait for receivers that do not answer, in milliseconds of real time. */
const PATIENCE = 1_500
/** How far to move the clock for retries of webhooks, in milliseconds. */
const LONGEST_RETRIES = 24 * 60 * 60_000

/**
 * Brings tasks to the ends that are planned for them. Then it sends the webhooks that are due, and their retries, but
 * does not wait long for a receiver that has gone.
 * @param running the ids of all tasks that run, but of stuck ones
 */
async function settle(sim: Simulator, running: Iterable<string>): Promise<void> {
  for (const id of running) await sim.tasks.finish(id)
  await sendWebhooks(sim)
}

function isRunning({ status, plan }: Task): boolean {
  return !isTerminal(status) && plan.outcome !== 'stuck'
}

async function sendWebhooks({ clock, webhooks }: Simulator): Promise<void> {
  const [start, begin] = [clock.now(), stopwatch()]
  const isPending = () => !webhooks.log.pending()[Symbol.iterator]().next().done
  while (isPending() && stopwatch() - begin < PATIENCE) {
    const next = Math.max(clock.next ?? Infinity, clock.now())
    if (next > start + LONGEST_RETRIES) return
    await clock.advanceTo(next)
  }
}
