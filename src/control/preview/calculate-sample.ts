import { type Awaitable, after, yieldToEventLoop } from '../../engine/awaitable.js'
import { isSupportedInstant } from '../../engine/clock/instants.js'
import type { Account } from '../../engine/memory/budget.js'
import { bytesOfTask } from '../../engine/memory/bytes-of.js'
import { operationMatcher } from '../../engine/requests/operations.js'
import { summarizeSync } from '../../engine/tasks/input.js'
import { end, plannedEndOf, start } from '../../engine/tasks/lifecycle.js'
import { endingOf } from '../../engine/tasks/results.js'
import type { Status, Task } from '../../engine/tasks/task.js'
import { eventOfEnd } from '../../engine/webhooks/events/task-event.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'
import {
  createRequests,
  IDLE_LIMIT,
  type SampleOptions,
  sampledModel,
  sampleSimulator,
} from './sample-simulator.js'
import { PreviewTotals, type Sample } from './totals.js'

/** How many tasks to create before other work may run: a few milliseconds. */
const STEP = 500

/**
 * Takes a sample of a scenario in which no request and no task affects another one: sends only the first request, and
 * calculates the tasks of the others from their plans. The result is that of a simulator.
 * @returns undefined if the scenario has limits or rules that count requests or webhooks, or tasks that end at polls
 */
export async function calculateSample(
  scenario: Scenario,
  options: SampleOptions,
): Promise<Sample | undefined> {
  if (hasRequestRules(scenario) || hasWebhookFaults(scenario) || scenario.recorded !== undefined)
    return undefined
  const { model, tasks: requests, every, signal, onProgress } = options
  const sim = sampleSimulator(scenario, options, () => {})
  const memory = sim.memory.open('live_tasks')
  try {
    const { kind, input } = sampledModel(sim, model)
    const { reply, taskId = '' } = await createRequests(sim)({ model, input: { ...input, variant: 0 } })
    const first = sim.tasks.get(taskId)
    if (first === undefined || isLimited(sim, first.owner)) return undefined
    if (!isSupportedInstant(sim.clock.now() + requests * every)) return undefined
    sim.tasks.delete(first.id)
    const totals = new PreviewTotals(requests)
    const tasks = new PlannedTasks(sim, totals, memory, first)
    for (let sent = 0; sent < requests; sent++) {
      totals.addAnswer(reply)
      if (!tasks.create(sent)) return undefined
      const running = tasks.advance(every)
      if (running !== undefined) await running
      if (sent % STEP > 0) continue
      await yieldToEventLoop()
      signal?.throwIfAborted()
      onProgress?.(sent)
    }
    await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
    onProgress?.(requests)
    return totals.sample(model, kind)
  } finally {
    memory.close()
    sim.close()
  }
}

function hasWebhookFaults({ webhooks }: Scenario): boolean {
  return webhooks.faults.length > 0
}

/** Whether earlier requests of a key, or the time, affect whether a request is accepted. */
function isLimited({ requestPolicy: { accounts }, tasks }: Simulator, key: string): boolean {
  const isLasting = accounts.statusOf(key, Infinity) === 'accepted'
  return !isLasting || accounts.balance(key) !== undefined || !tasks.capacity.isUnlimited
}

/** Whether any rate limit or fault applies to create requests. */
function hasRequestRules({ rate_limits: rateLimits, faults }: Scenario): boolean {
  const operations = [
    ...rateLimits.map(({ operation }) => operation),
    ...faults.map(({ when }) => when?.operation),
  ]
  return operations.some((each) => operationMatcher(each)('tasks.create'))
}

/** Tasks that depend only on their plans. They start and end on the clock of a simulator, but nothing stores them. */
class PlannedTasks {
  readonly #sim: Simulator
  readonly #totals: PreviewTotals
  readonly #bytes: Account
  readonly #first: Task
  readonly #bytesOfTask: number
  /** The canonical text of an input before and after its variant. */
  readonly #canonical: readonly [before: string, after: string]
  /** The attempts of the webhooks of a task, by how it ended. Without webhook faults, all tasks have the same. */
  readonly #attempts = new Map<Status, number>()

  /**
   * @param bytes counts the bytes of the tasks that have not ended
   * @param first a task whose input has the `variant` 0; the others differ from it only in that number
   */
  constructor(sim: Simulator, totals: PreviewTotals, bytes: Account, first: Task) {
    this.#sim = sim
    this.#totals = totals
    this.#bytes = bytes
    this.#first = first
    this.#bytesOfTask = bytesOfTask(first)
    const [before = '', after = ''] = summarizeSync(first.input).canonical.split('"variant":0')
    this.#canonical = [`${before}"variant":`, after]
  }

  /**
   * Creates a task. Its summary is put together from that of the first one, because a summary costs as much as a plan.
   * @param variant a whole number
   * @returns false if the task ends at a poll, so that its end cannot be calculated
   * @throws OverBudgetError if the task exceeds the memory budget
   */
  create(variant: number): boolean {
    const { owner, dialect, model, input, inputBytes, webhookUrl, origin, extra, follow } = this.#first
    const [before, after] = this.#canonical
    const task = this.#sim.tasks.preview({
      owner,
      dialect,
      model,
      input: { ...input, variant },
      webhookUrl,
      origin,
      extra,
      follow,
      summary: { canonical: before + variant + after, inputBytes, mentionsDirective: false },
    })
    const { plan, createdAt } = task
    if ('polls' in plan.end) return false
    this.#totals.addCreated()
    this.#bytes.add(this.#bytesOfTask)
    if (task.status === 'processing') this.#process(task)
    else this.#schedule.at(createdAt + plan.queueing, (at) => this.#process(start(task, at) ?? task))
    return true
  }

  /** Advances the clock. @returns undefined if there is nothing to wait for */
  advance(milliseconds: number): Promise<void> | undefined {
    const { clock } = this.#sim.parts.time
    const target = clock.now() + milliseconds
    // Most results are ready at once, and an advance by promises would cost as much as the tasks.
    for (let next = this.#schedule.next; next !== undefined && next <= target; next = this.#schedule.next) {
      clock.moveTo(next)
      const running = this.#schedule.catchUp()
      if (running !== undefined) return running.then(() => this.advance(target - clock.now()))
    }
    clock.moveTo(target)
    return undefined
  }

  get #schedule() {
    return this.#sim.parts.time.schedule
  }

  #process(task: Task): void {
    const endsAt = plannedEndOf(task)
    if (endsAt !== undefined) this.#schedule.at(endsAt, (at) => this.#end(task, at))
  }

  #end(task: Task, at: number): Awaitable<void> {
    const ending = endingOf(task, this.#sim.tasks.results, (problem) => this.#sim.emit('error', problem))
    return after(ending, (known) => {
      const ended = end(task, known, at)
      if (ended === undefined) return
      this.#bytes.add(-this.#bytesOfTask)
      this.#totals.addEnded(ended)
      this.#totals.webhookAttempts += this.#attemptsFor(ended)
    })
  }

  #attemptsFor(task: Task): number {
    const known = this.#attempts.get(task.status)
    if (known !== undefined) return known
    const event = eventOfEnd(task.status)
    const { webhooks } = this.#sim
    const attempts =
      event === undefined ? 0 : webhooks.countAttempts(event, task, (url) => this.#sim.mayCall(url))
    this.#attempts.set(task.status, attempts)
    return attempts
  }
}
