import { Dialects } from '../dialects/dialects.js'
import type { FileCache } from '../engine/assets/file-cache.js'
import type { Outputs } from '../engine/assets/outputs.js'
import type { Uploads } from '../engine/assets/uploads.js'
import type { Awaitable } from '../engine/awaitable.js'
import { checkListener } from '../engine/check-listener.js'
import type { ClockControl } from '../engine/clock/clock-control.js'
import { toMilliseconds } from '../engine/clock/durations.js'
import type { Time } from '../engine/clock/time.js'
import { checkOptionNames } from '../engine/errors.js'
import type { Events, InternalEvents, SimulatorEvents } from '../engine/events.js'
import type { Exploration, Exploring } from '../engine/exploration/exploration.js'
import {
  type Account,
  DEFAULT_KEEP_BYTES,
  MemoryBudget,
  OverBudgetError,
  readKeepBytes,
} from '../engine/memory/budget.js'
import { bytesOfSandbox } from '../engine/memory/bytes-of.js'
import { checkObservation, type Observable, type ObservedDetails } from '../engine/observation.js'
import type { OutputGate } from '../engine/output-gate.js'
import type { LivePart } from '../engine/progress/live-part.js'
import type { RequestLoops } from '../engine/requests/request-loops.js'
import type { RequestPolicy } from '../engine/requests/request-policy.js'
import type { Requests } from '../engine/requests/requests.js'
import type { Engine } from '../engine/tasks/engine.js'
import type { MirroredService } from '../engine/tasks/mirrored-tasks.js'
import type { Task } from '../engine/tasks/task.js'
import type { NewTask } from '../engine/tasks/task-factory.js'
import type { Tracing } from '../engine/tracing.js'
import type { Dispatcher } from '../engine/webhooks/dispatcher.js'
import type { Registrations } from '../engine/webhooks/receivers/registrations.js'
import type { Finding } from '../inspect/findings/finding.js'
import type { FindingInput } from '../inspect/findings/finding-context.js'
import type { Verdict } from '../inspect/findings/verdict.js'
import type { EventCounters } from '../inspect/journal/event-counters.js'
import type { Journal } from '../inspect/journal/journal.js'
import type { Scenario } from '../scenario/scenario.js'
import { completeScenario } from '../scenario/shipped.js'
import type { RunOfExploration } from './exploration.js'
import { findingInputOf } from './findings.js'
import { buildParts } from './parts.js'
import { type Sandbox, Sandboxes, type SandboxIdentity } from './sandboxes.js'
import { checkSandboxOptions, type SandboxOptions, type SimulatorSettings } from './settings.js'
import type { GivenParts, SimulatorParts } from './simulator-parts.js'
import { closeParts, replaceScenario, resetParts } from './state.js'

/** The simulated service: one engine, independent of the host that serves it. */
export class Simulator {
  /** Controls time. */
  readonly clock: ClockControl
  /** Creates and stores tasks. */
  readonly tasks: Engine
  /** Shows tasks before their end, and waits for them. */
  readonly live: LivePart
  /** Builds the outputs of tasks. */
  readonly outputs: Outputs
  /** Sends webhooks when tasks end. */
  readonly webhooks: Dispatcher
  /** Records requests, transitions, deliveries and downloads. */
  readonly journal: Journal
  /** Counts events. */
  readonly counters: EventCounters
  /** The isolated simulators that belong to this one. */
  readonly sandboxes: Sandboxes<Simulator>
  /** The id and API key of this simulator, if it is a sandbox. */
  readonly identity: SandboxIdentity | undefined
  /** Renders and caches the output files. */
  readonly files: FileCache
  /** The wire formats of requests. */
  readonly dialects: Dialects
  /** Limits the bytes that the simulator and its sandboxes retain. */
  readonly memory: MemoryBudget
  /** The real service whose tasks the simulator shows, if it simulates none. */
  readonly mirrored: MirroredService | undefined
  /** The random seed. */
  readonly seed: string
  /** The name of this server among several servers behind a load balancer. */
  readonly partition: string | undefined
  /**
   * All events, also those that only other parts need. {@link on} is for users.
   * @internal
   */
  readonly events: Events
  /**
   * The clock, the schedule on it, and what waits for it. {@link clock} is for users.
   * @internal
   */
  readonly time: Time
  /**
   * Where responses and webhooks wait until what they depend on is stored.
   * @internal
   */
  readonly gate: OutputGate
  /**
   * Traces tasks and webhooks, if somebody asks for that.
   * @internal
   */
  readonly tracing: Tracing
  /**
   * The requests so far, and those that wait for their answer.
   * @internal
   */
  readonly requests: Requests
  /**
   * Notices a client that repeats a request without any wait.
   * @internal
   */
  readonly loops: RequestLoops
  /**
   * The exploration whose deviations apply, if one runs.
   * @internal
   */
  readonly exploring: Exploring
  /**
   * All of its parts, for the ledger, which saves and restores the whole state. Other code takes a part by its name.
   * @internal
   */
  readonly parts: SimulatorParts
  /**
   * Its settings. A sandbox also has those of its parent.
   * @internal
   */
  readonly settings: SimulatorSettings
  /**
   * Called with each sandbox that is built, before it does anything.
   * @internal
   */
  onSandboxBuilt: ((sandbox: Simulator) => void) | undefined
  /** The bytes of the simulator itself, if it is a sandbox. */
  readonly #ownBytes: Account

  /**
   * @param identity the identity of the sandbox, if the simulator is one
   * @param given the parts that belong to another simulator, such as the parent of a sandbox, or to a mirror
   * @throws UsageError if a dialect is unknown, or has a name that is taken
   */
  constructor(
    scenario: Scenario,
    settings: SimulatorSettings = {},
    identity?: SandboxIdentity,
    given: GivenParts = {},
  ) {
    this.settings = settings
    const {
      memory = new MemoryBudget(readKeepBytes(settings.keepBytes) ?? DEFAULT_KEEP_BYTES),
      dialects = new Dialects(settings.dialects, settings.rootDialect ?? scenario.recorded?.dialect),
    } = given
    this.memory = memory
    this.dialects = dialects
    this.mirrored = given.mirrored
    this.identity = identity
    const parts = buildParts(
      scenario,
      settings,
      { memory, dialects, mirrored: this.mirrored, announce: given.announce },
      identity,
    )
    // The scenario may have added the dialect.
    dialects.checkRoot()
    this.#ownBytes = memory.open('sandboxes')
    if (identity !== undefined) this.#ownBytes.add(bytesOfSandbox(scenario))
    this.parts = parts
    this.seed = parts.seed
    this.clock = parts.time.control
    this.tasks = parts.tasks
    this.live = parts.live
    this.outputs = parts.outputs
    this.webhooks = parts.webhooks
    this.journal = parts.journal
    this.counters = parts.counters
    this.files = parts.files
    this.events = parts.events
    this.time = parts.time
    this.gate = parts.gate
    this.tracing = parts.tracing
    this.requests = parts.requests
    this.loops = parts.loops
    this.exploring = parts.exploring
    this.partition = settings.partition
    this.sandboxes = new Sandboxes(parts.idsOf('sandboxes'), parts.events, this.partition)
  }

  /** The active scenario, with the overrides of this simulator's settings. */
  get scenario(): Scenario {
    return this.parts.active.current
  }

  /** The scenario that a reset restores, as it was given. */
  get initialScenario(): Scenario {
    return this.parts.active.initial
  }

  /** The accounts, rate limits and faults that apply to requests. */
  get requestPolicy(): RequestPolicy {
    return this.parts.active.requestPolicy
  }

  /** The name of the dialect in which a file was uploaded or announced. */
  dialectOfUpload(id: string): string | undefined {
    return this.parts.uploads.loaded?.get(id)?.dialect
  }

  /** Keeps the files that clients send. Its code is loaded on first use. */
  uploads(): Awaitable<Uploads> {
    return this.parts.uploads.get()
  }

  /** The receivers that clients register through the API of a service. Its code is loaded on first use. */
  registrations(): Awaitable<Registrations> {
    return this.parts.registrations.get()
  }

  /** The start of output URLs for a client that reached the API at `origin`. */
  publicOrigin(origin: string): string {
    return this.settings.publicUrl?.replace(/\/+$/, '') ?? origin
  }

  /** The clock mode at the start, which is the default of sandboxes. */
  get initialClock(): 'real' | 'manual' {
    return this.settings.clock ?? 'real'
  }

  /** The instant that decides which APIs have ended, in epoch milliseconds. */
  today(): number {
    return this.time.today()
  }

  /** Whether webhooks may go to a URL. */
  mayCall(url: string): boolean {
    return this.parts.targets.mayCall(url)
  }

  /**
   * Replaces the scenario for new tasks. Existing tasks keep their plans, and the seed stays.
   * @param scenario the name of a shipped scenario, or a result of `defineScenario` or `parseScenario`
   * @param options `keep`: whether a reset keeps this scenario; by default it restores the initial one
   * @throws UsageError if no shipped scenario has the name, or an object is not a complete scenario
   */
  useScenario(scenario: Scenario | string, options: { keep?: boolean } = {}): void {
    checkOptionNames('useScenario', options, { keep: true })
    const { keep = false } = options
    replaceScenario(this.parts, completeScenario(scenario), keep)
  }

  /**
   * Creates an isolated simulator with its own API key, clock, tasks, journal and receivers.
   * @throws UsageError if an option is unknown or has an unusable value; OverBudgetError if it exceeds the memory budget
   */
  createSandbox(options: SandboxOptions = {}): Sandbox<Simulator> {
    checkSandboxOptions(options, this.initialClock)
    const { name, scenario: given = this.initialScenario, idle, ...own } = options
    const scenario = completeScenario(given)
    if (!this.memory.tryToFit(bytesOfSandbox(scenario))) throw new OverBudgetError(this.memory.limit)
    return this.sandboxes.create(
      (identity) => this.buildSandbox(identity, scenario, own),
      name,
      idle === undefined ? undefined : toMilliseconds(idle),
    )
  }

  /**
   * Builds the simulator of a sandbox.
   * @internal
   */
  buildSandbox(
    identity: SandboxIdentity,
    scenario: Scenario,
    own: Omit<SandboxOptions, 'name' | 'scenario' | 'idle'>,
  ): Simulator {
    const { receivers: _receivers, ...shared } = this.settings
    const settings = { ...shared, seed: this.seed, renderer: this.parts.renderer, ...own }
    const sim = new Simulator(scenario, settings, identity, this)
    // A sandbox that was created over HTTP has no other listener.
    sim.on('error', (error) => this.events.emit('error', error))
    this.onSandboxBuilt?.(sim)
    return sim
  }

  /**
   * Creates a task. If a webhook fault sends the webhook before the response to the create request, this resolves after
   * the task has ended and the webhook was sent.
   * @throws CapacityError if the task can neither run nor wait
   */
  create(order: NewTask): Awaitable<Task> {
    const { tasks, webhooks } = this
    const follow = order.follow ?? webhooks.followOf(order)
    const trace = order.trace ?? this.tracing.tracer?.beginTask()
    const isAsOrdered = follow === undefined && trace === undefined
    const task = tasks.create(isAsOrdered ? order : { ...order, follow, trace })
    return webhooks.planEarly(task) ? this.#finishBeforeResponse(task) : task
  }

  /** The number of answers that wait for the clock. */
  get waitingAnswers(): number {
    return (this.live.loaded?.waits.size ?? 0) + this.time.pauses
  }

  /**
   * Adds a listener for an event.
   * @returns a function that removes the listener
   * @throws UsageError if there is no such event, or the listener is not a function
   */
  on<Name extends keyof SimulatorEvents>(name: Name, listener: SimulatorEvents[Name]): () => void {
    checkListener(name, listener)
    return this.events.on(name, listener as InternalEvents[Name])
  }

  /**
   * Finds the mistakes of the client under test that the journal shows, the most severe first.
   * @param options `final`: whether the client will send nothing more, so that omissions count at once
   */
  async findings(options: { final?: boolean } = {}): Promise<readonly Finding[]> {
    checkOptionNames('findings', options, { final: true })
    return (await this.verdict(options)).findings
  }

  /**
   * Evaluates the client under test: its mistakes and the applicable rules.
   * @param options `final`: whether the client will send nothing more, so that omissions count at once
   */
  async verdict(options: { final?: boolean } = {}): Promise<Verdict> {
    checkOptionNames('verdict', options, { final: true })
    const input = this.findingInput(options)
    const { checkClient } = await import('../inspect/findings/verdict.js')
    return checkClient(input)
  }

  /** The current input of the findings, as in {@link verdict}. */
  findingInput({ final = false }: { final?: boolean } = {}): FindingInput {
    return findingInputOf(this.parts, final)
  }

  /**
   * Records an action inside the client, for the findings.
   * @example
   * sim.observe('webhook.processed', { taskId })
   * @throws UsageError if there is no such action, or a detail is missing or unknown
   */
  observe(what: Observable, details: ObservedDetails): void {
    checkObservation(what, details)
    this.events.emit('client.observed', { what, ...details }, this.clock.now())
  }

  /**
   * Begins a run of an exploration: names the places that the client reaches from now on, and applies deviations there.
   * @internal
   */
  async explore(run: RunOfExploration = {}): Promise<Exploration> {
    const { beginRun } = await import('./exploration.js')
    return beginRun(this.parts, run)
  }

  /** Resolves when everything that is due has run and no webhook attempt is in flight. */
  settled(): Promise<void> {
    return this.clock.settled()
  }

  /**
   * Restores the initial state: the initial scenario, no tasks, the initial time and the same random draws. It abandons
   * deliveries in flight and keeps the listeners.
   */
  async reset(): Promise<void> {
    await resetParts(this.parts)
  }

  /** Stops all scheduled work. A closed simulator still answers requests, but its clock stops. */
  close(): void {
    this.sandboxes.close()
    this.#ownBytes.close()
    closeParts(this.parts)
  }

  async #finishBeforeResponse(task: Task): Promise<Task> {
    await this.tasks.finish(task.id)
    await this.time.waitForReceivers(this.webhooks.sender.early.attempted(task.id))
    return task
  }
}
