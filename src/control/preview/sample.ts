import { MAIN_DIALECT } from '../../dialects/built-in.js'
import type { Dialects } from '../../dialects/dialects.js'
import { yieldToEventLoop } from '../../engine/awaitable.js'
import { isSupportedInstant } from '../../engine/clock/instants.js'
import type { JsonObject } from '../../engine/json.js'
import type { MemoryBudget } from '../../engine/memory/budget.js'
import { OverBudgetError } from '../../engine/memory/budget.js'
import type { Scenario } from '../../engine/scenario/scenario.js'
import type { Kind, Task } from '../../engine/tasks/task.js'
import type { Reply } from '../../exchange/exchange.js'
import { apiKeyFor } from '../../http/api-key.js'
import { newExchange } from '../../http/open-exchange.js'
import type { ServiceExchange } from '../../http/operation.js'
import { runServiceOperation } from '../../http/pipeline.js'
import { withoutErrors } from '../../http/rejection.js'
import { RouteTree, routesOf } from '../../http/routes.js'
import { KINDS, kindNamed } from '../../kinds/registry.js'
import type { GivenParts } from '../../simulator/parts.js'
import type { SimulatorSettings } from '../../simulator/settings.js'
import { Simulator } from '../../simulator/simulator.js'
import { ownRequest } from '../own-request.js'
import { hasRequestRules } from './coverage.js'
import { PlannedTasks } from './planned-tasks.js'
import { PreviewTotals, rejectionCode, type Sample } from './totals.js'

/**
 * Sends create requests for one model with one API key and different inputs, on a manual clock, and runs the tasks to
 * their ends. Renders no media, because nothing downloads them.
 * @throws OverBudgetError if the tasks exceed the memory budget; the reason of the signal if it is aborted
 */
export async function takeSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
  return (await calculateSample(scenario, options)) ?? (await simulateSample(scenario, options))
}

/** Takes a sample with a simulator, which sends every request and runs every task. */
export async function simulateSample(scenario: Scenario, options: SampleOptions): Promise<Sample> {
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
    while (this.size > this.#sim.held) {
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
  return !isLasting || accounts.balance(key) !== undefined || !tasks.isUnlimited
}

const PATH = '/api/v1/tasks'
const MATCH = new RouteTree(routesOf(MAIN_DIALECT)).find(PATH)

/** The response to a create request, and the task that it created. */
interface CreateAnswer {
  readonly reply: Reply
  /** Known even if a fault keeps the response from the client. */
  readonly taskId: string | undefined
}

/**
 * Sends create requests to a simulator as a client would: keys, credits, rate limits, faults and capacity apply.
 * Skips only the routing, the journal and the parsing of the body.
 */
export function createRequests(sim: Simulator): (body: JsonObject) => Promise<CreateAnswer> {
  const request = ownRequest({
    method: 'POST',
    path: PATH,
    origin: 'http://127.0.0.1',
    headers: { authorization: `Bearer ${apiKeyFor(sim.scenario)}`, 'content-type': 'application/json' },
  })
  return async (body) => {
    const exchange = { ...newExchange(sim, request, MAIN_DIALECT, MATCH), json: body }
    const reply = await withoutErrors(exchange as ServiceExchange, runServiceOperation)
    return { reply, taskId: exchange.taskId }
  }
}

const RECEIVER = 'http://127.0.0.1:9/preview'

/**
 * Creates a simulator on a manual clock that sends no webhooks, and forgets tasks as they end.
 * @param announce called with the events of tasks
 */
function sampleSimulator(
  scenario: Scenario,
  { seed, memory, dialects }: SampleOptions,
  announce: GivenParts['announce'],
): Simulator {
  const settings: SimulatorSettings = {
    clock: 'manual',
    keepTasks: 0,
    receivers: [{ url: RECEIVER }],
    ...(seed !== undefined && { seed }),
  }
  return new Simulator(scenario, settings, undefined, { memory, dialects, announce })
}

/** The kind of a model, and an input for it. */
function sampledModel(
  { tasks: { planner } }: Simulator,
  model: string,
): { readonly kind: Kind; readonly input: JsonObject } {
  const kind = planner.kindOf(model, {})
  return { kind, input: (kindNamed(planner.baseOf(kind)) ?? KINDS[0]).example.input }
}

/** The limit of the clock after the last request. */
const IDLE_LIMIT = '36500d'

/** How many requests a sample sends before it reports its progress and lets other work run. */
const PROGRESS_STEP = 100

/** The options of a sample. */
interface SampleOptions {
  readonly model: string
  /** How many create requests to send. */
  readonly tasks: number
  /** Milliseconds between two requests, on the clock of the sample. */
  readonly every: number
  readonly seed: string | undefined
  /** The memory budget to share. By default, the sample has a separate one. */
  readonly memory?: MemoryBudget
  /** The dialects that the scenario may name. By default, those that are built in. */
  readonly dialects?: Dialects
  /** Ends the sample early. */
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}
