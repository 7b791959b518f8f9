import { yieldToEventLoop } from '../../engine/awaitable.js'
import { OverBudgetError } from '../../engine/memory/budget.js'
import { type OperationName, operationMatcher } from '../../engine/requests/operations.js'
import { ruleNames } from '../../engine/scenario/rules.js'
import type { Task } from '../../engine/tasks/task.js'
import { KINDS, kindNamed } from '../../kinds/built-in-kinds.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'
import {
  createRequests,
  IDLE_LIMIT,
  type SampleOptions,
  sampledModel,
  sampleSimulator,
} from './sample-simulator.js'
import { PreviewTotals, rejectionCode, type Sample } from './totals.js'

/**
 * Sends create requests for one model with one API key and different inputs, on a manual clock, and runs the tasks to
 * their ends. Renders no media, because nothing downloads them.
 * @throws OverBudgetError if the tasks exceed the memory budget; the reason of the signal if it is aborted
 */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  const { model, tasks: requests, every, onProgress } = options
  const totals = new PreviewTotals(requests)
  const mayCall = (url: string) => sim.mayCall(url)
  const sim: Simulator = sampleSimulator(scenario, options, (event, task) => {
    totals.webhookAttempts += sim.webhooks.countAttempts(event, task, mayCall)
  })
  try {
    countResults(sim, totals)
    const pending = new PendingWork(sim, options.signal)
    const client = new PollingClient(sim, pending)
    const send = createRequests(sim)
    const { kind, input } = sampledModel(sim, model)
    for (let sent = 0; sent < requests; sent++) {
      pending.add(
        send({ model, input: { ...input, variant: sent } }).then(({ reply, taskId }) => {
          if (rejectionCode(reply) === 'over_budget') throw new OverBudgetError(sim.memory.limit)
          totals.addAnswer(reply)
          return client.poll(taskId)
        }),
      )
      // A fault may delay the response until the clock advances, so do not wait for it.
      await pending.run()
      if (sent % PROGRESS_STEP === 0) await yieldToEventLoop()
      await sim.clock.advance(every)
      pending.check()
      if (sent % PROGRESS_STEP === 0) onProgress?.(sent)
    }
    // A request may still be waiting for a module that is loaded on first use, and create its task later.
    do {
      await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
      await pending.run()
      pending.check()
    } while (pending.size > 0)
    await sim.clock.runUntilIdle({ limit: IDLE_LIMIT })
    onProgress?.(requests)
    return totals.sample(model, kind)
  } finally {
    sim.close()
  }
}

function countResults(sim: Simulator, totals: PreviewTotals): void {
  sim.on('task.created', () => totals.addCreated())
  sim.on('task.finished', (task) => totals.addEnded(task))
}

/**
 * Ends the tasks of a sample that end at a poll, as soon as the client has the response to the create request and the
 * task has started. One call replaces all polls of a task, because a scenario may require a million polls.
 */
class PollingClient {
  readonly #sim: Simulator
  readonly #pending: PendingWork
  readonly #queued = new Set<string>()

  constructor(sim: Simulator, pending: PendingWork) {
    this.#sim = sim
    this.#pending = pending
    sim.on('task.started', ({ id }) => {
      if (this.#queued.delete(id)) this.#pending.add(this.#sim.tasks.finish(id))
    })
  }

  /** Polls a task, now or once it has started. */
  async poll(id: string | undefined): Promise<void> {
    const task = id === undefined ? undefined : this.#sim.tasks.get(id)
    if (task === undefined || !endsAtPoll(task)) return
    if (task.status === 'queued') this.#queued.add(task.id)
    else await this.#sim.tasks.finish(task.id)
  }
}

function endsAtPoll({ plan }: Task): boolean {
  return 'polls' in plan.end && plan.outcome !== 'stuck'
}

/** The microtask turns in which most requests are answered. */
const TURNS = 40

/** The unfinished work of a sample. The first failure ends the sample. */
class PendingWork {
  readonly #sim: Simulator
  readonly #signal: AbortSignal | undefined
  readonly #work = new Set<Promise<unknown>>()
  #failure: { readonly error: unknown } | undefined

  constructor(sim: Simulator, signal: AbortSignal | undefined) {
    this.#sim = sim
    this.#signal = signal
  }

  get size(): number {
    return this.#work.size
  }

  add(work: Promise<unknown>): void {
    this.#work.add(work)
    work
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#work.delete(work))
  }

  /**
   * Lets the work run until it has ended or waits for the clock. Some of it may wait for a module that is loaded on first
   * use, and no time passes on the clock of a client meanwhile.
   * @throws the first error of the work, or the reason of the aborted signal
   */
  async run(): Promise<void> {
    for (let turn = 0; turn < TURNS && this.size > 0; turn++) await undefined
    while (this.size > this.#sim.waitingAnswers) {
      await yieldToEventLoop()
      this.check()
    }
    this.check()
  }

  /** @throws the first error of the work, or the reason of the aborted signal */
  check(): void {
    this.#signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

/** How many requests a sample sends before it reports its progress and lets other work run. */
const PROGRESS_STEP = 100

/**
 * Returns the models to sample: the models that the scenario lists, an example for each pattern, and an example for each
 * kind that the scenario configures. Without any of these, returns an example for each kind.
 */
export function modelsOf({ models, kinds }: Scenario): string[] {
  const listed = Object.keys(models).map((pattern) => pattern.replaceAll('*', 'example'))
  const configured = Object.keys(kinds).flatMap((name) => kindNamed(name) ?? [])
  const shown = listed.length + configured.length > 0 ? configured : KINDS
  return [...listed, ...shown.map(({ example }) => example.model)]
}

type Operations = OperationName | readonly OperationName[] | undefined

/**
 * Returns the rate limits and faults that a sample cannot trigger, because it sends only create requests. Each has the
 * form `name (operations)`.
 */
export function notSampled({ rate_limits: rateLimits, faults }: Scenario): string[] {
  return [
    ...excluded(ruleNames(rateLimits, 'rate_limits'), (index) => rateLimits[index]?.operation),
    ...excluded(ruleNames(faults, 'faults'), (index) => faults[index]?.when?.operation),
  ]
}

function excluded(names: readonly string[], operationAt: (index: number) => Operations): string[] {
  return names.flatMap((name, index) => {
    const operations = operationAt(index)
    return operationMatcher(operations)('tasks.create') ? [] : [`${name} (${[operations].flat().join(', ')})`]
  })
}
