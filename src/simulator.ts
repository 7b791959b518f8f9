import { Files } from './engine/assets/files.js'
import { Outputs } from './engine/assets/outputs.js'
import type { Renderer } from './engine/assets/renderer.js'
import { type Awaitable, after } from './engine/awaitable.js'
import type { ClockControl } from './engine/clock/clock-control.js'
import { toMilliseconds } from './engine/clock/durations.js'
import { Time } from './engine/clock/time.js'
import { createEvents, type SimulatorEvents } from './engine/events.js'
import { type Account, MemoryBudget } from './engine/memory/budget.js'
import { bytesOfSandbox } from './engine/memory/bytes-of.js'
import { DEFAULT_KEEP_BYTES, readKeepBytes } from './engine/memory/keep-bytes.js'
import { OverBudgetError } from './engine/memory/over-budget-error.js'
import { Chance } from './engine/random.js'
import { RequestPolicy } from './engine/requests/request-policy.js'
import { type Sandbox, Sandboxes, type SandboxIdentity } from './engine/sandboxes.js'
import { Capacity } from './engine/tasks/capacity.js'
import { Engine } from './engine/tasks/engine.js'
import { USUALLY_KEPT } from './engine/tasks/keep-tasks.js'
import { MemoryStore } from './engine/tasks/memory-store.js'
import type { NewTask } from './engine/tasks/new-task.js'
import { Planner } from './engine/tasks/planner.js'
import { isTerminal, type Task } from './engine/tasks/task.js'
import { Dispatcher, type DispatchRules } from './engine/webhooks/dispatcher.js'
import { Receivers } from './engine/webhooks/receivers.js'
import { guarded, type TargetPolicy, targetPolicy } from './engine/webhooks/target-policy.js'
import { fetchTransport } from './engine/webhooks/transport.js'
import { WebhookFaultRules } from './engine/webhooks/webhook-fault-rules.js'
import type { CaseFile } from './inspect/findings/case.js'
import type { Finding } from './inspect/findings/finding.js'
import type { Observable, ObservedDetails } from './inspect/findings/observation.js'
import type { Verdict } from './inspect/findings/verdict.js'
import { Journal } from './inspect/journal/journal.js'
import { Tally } from './inspect/journal/tally.js'
import { createMediaRenderer } from './media/media-renderer.js'
import { scenarioNamed } from './scenario/language/scenario-named.js'
import type { Scenario } from './scenario/model/scenario.js'
import type { SandboxOptions, SimulatorSettings } from './simulator-settings.js'

/** The simulated service: one engine behind whatever host serves it. */
export class Simulator {
  /** Turns time. */
  readonly clock: ClockControl
  /** Makes tasks and keeps them. */
  readonly tasks: Engine
  /** Hands out what tasks have made. */
  readonly outputs: Outputs
  /** Tells receivers of what has ended. */
  readonly webhooks: Dispatcher
  /** Remembers what happened. */
  readonly journal: Journal
  /** Counts what happened. */
  readonly tally: Tally
  /** The isolated simulators beside this one. */
  readonly sandboxes: Sandboxes<Simulator>
  /** What this one is known by, where it is a sandbox itself. */
  readonly identity: SandboxIdentity | undefined
  /** Makes and keeps the files behind the output URLs. */
  readonly files: Files
  /** Bounds what it retains, together with its sandboxes. */
  readonly memory: MemoryBudget
  /** The root of all chance. */
  readonly seed: string
  readonly #settings: SimulatorSettings
  readonly #targets: TargetPolicy
  readonly #renderer: Renderer
  readonly #events = createEvents()
  readonly #time: Time
  readonly #capacity: Capacity
  readonly #chance: Chance
  /** What a reset goes back to. */
  #first: Scenario
  #scenario: Scenario
  #requestPolicy: RequestPolicy
  #requests = 0
  /** What the simulator itself takes, if it is a sandbox. */
  readonly #room: Account

  /**
   * @param identity what it is known by, where it is a sandbox
   * @param memory the budget that a sandbox shares with the simulator that it belongs to
   */
  constructor(
    scenario: Scenario,
    settings: SimulatorSettings = {},
    identity?: SandboxIdentity,
    memory = new MemoryBudget(readKeepBytes(settings.keepBytes) ?? DEFAULT_KEEP_BYTES),
  ) {
    this.#settings = settings
    this.#targets = targetPolicy(settings.webhookAllow)
    this.memory = memory
    this.#room = memory.open('sandboxes')
    if (identity !== undefined) this.#room.add(bytesOfSandbox(scenario))
    this.identity = identity
    this.#first = scenario
    this.#scenario = this.#settle(scenario)
    this.seed = String(settings.seed ?? scenario.seed)
    this.#renderer = settings.renderer ?? createMediaRenderer()
    this.files = new Files(this.#renderer, memory)
    this.#time = new Time(settings, this.#report)
    this.clock = this.#time.control
    const root = `${this.seed}\0${identity?.root ?? 'default'}`
    this.#chance = Chance.of(root)
    this.sandboxes = new Sandboxes(this.#chance.child('sandboxes'))
    this.#requestPolicy = new RequestPolicy(this.#scenario, this.#chance, this.#time.clock.now(), memory)
    this.outputs = new Outputs(
      identity === undefined ? `files\0${this.seed}` : `files\0${root}`,
      () => this.#scenario.outputs,
      identity?.id,
    )
    this.#capacity = new Capacity(this.#scenario.capacity)
    const { clock, timeline, inFlight } = this.#time
    this.tasks = new Engine({
      clock,
      timeline,
      store: settings.store ?? new MemoryStore(),
      events: this.#events,
      chance: this.#chance,
      capacity: this.#capacity,
      planner: new Planner(this.#scenario),
      keep: settings.keepTasks ?? USUALLY_KEPT,
      budget: memory,
      isAwaited: (id) => this.webhooks.log.isPending(id),
    })
    this.webhooks = new Dispatcher(
      {
        clock,
        timeline,
        inFlight,
        budget: memory,
        events: this.#events,
        receivers: new Receivers(settings.receivers),
        transport: guarded(settings.transport ?? fetchTransport, this.#targets),
        outputOf: (task) => this.outputs.of(task, task.origin, task.completedAt ?? this.#time.clock.now()),
        onTold: (id) => this.tasks.told(id),
      },
      this.#dispatchRules(),
    )
    this.journal = new Journal(this.#events, memory)
    this.tally = new Tally(this.#events)
    this.#events.on('request.answered', ({ operation, delivered, note }) => {
      if (!delivered || (operation !== 'tasks.retrieve' && operation !== 'tasks.list')) return
      for (const shown of note.shown ?? []) if (isTerminal(shown.status)) this.webhooks.seen(shown.id)
    })
    this.#events.on('task.finished', (task) => {
      this.requestPolicy.accounts.charge(task.owner, task.cost ?? 0)
      this.webhooks.announce(task)
    })
    this.#events.on('task.forgotten', (task) => {
      this.requestPolicy.lastAnswers.delete(task.id)
      this.files.forget(task)
    })
  }

  /** The scenario by which new tasks are planned, options of this simulator included. */
  get scenario(): Scenario {
    return this.#scenario
  }

  /** What stands between requests and operations: accounts, rate limits and faults. */
  get requestPolicy(): RequestPolicy {
    return this.#requestPolicy
  }

  /** What output URLs start with for a client that reached the API under `origin`. */
  publicOrigin(origin: string): string {
    return this.#settings.publicUrl?.replace(/\/+$/, '') ?? origin
  }

  /** How the clock ran at the start; a sandbox without a clock of its own starts likewise. */
  get initialClock(): 'real' | 'manual' {
    return this.#settings.clock ?? 'real'
  }

  /** Whether webhooks may go to a URL. */
  mayCall(url: string): boolean {
    return this.#targets.mayCall(url)
  }

  /**
   * Plans all further tasks by another scenario. Tasks that exist keep their plans; the seed stays.
   * @param scenario the name of a shipped one, or one of `defineScenario` or `parseScenario`
   * @param options `keep`: whether it also stays in force over a reset, which otherwise brings back the first one
   * @throws UsageError where none of the name is shipped
   */
  useScenario(scenario: Scenario | string, options: { keep?: boolean } = {}): void {
    const { keep = false } = options
    const whole = typeof scenario === 'string' ? scenarioNamed(scenario) : scenario
    if (keep) this.#first = whole
    this.#enforce(whole, this.#requestPolicy)
    this.#events.emit('control.used', 'scenario', this.#time.clock.now())
  }

  /**
   * Makes an isolated simulator: with a clock, tasks, journal and receivers of its own, behind its own API key.
   * @throws OverBudgetError if the memory budget has no room for it
   */
  createSandbox({ name, scenario = this.#first, idle, ...own }: SandboxOptions = {}): Sandbox<Simulator> {
    if (!this.memory.fits(bytesOfSandbox(scenario))) throw new OverBudgetError(this.memory.limit)
    const { receivers: _receivers, store: _store, seed: _seed, ...shared } = this.#settings
    const settings = { ...shared, seed: this.seed, renderer: this.#renderer, ...own }
    const sandbox = this.sandboxes.create(
      (identity) => new Simulator(scenario, settings, identity, this.memory),
      name,
      idle === undefined ? undefined : toMilliseconds(idle),
    )
    // Nobody else listens to a sandbox that somebody far away has made.
    sandbox.sim.on('error', this.#report)
    return sandbox
  }

  /**
   * Makes a task, as a request asks for it. Where a webhook fault demands that a webhook overtakes the answer, it has ended
   * and its receivers know by the time that this resolves.
   * @throws NoRoomError where it could neither run nor wait
   */
  create(order: NewTask): Awaitable<Task> {
    return after(this.tasks.create(order), (task) => {
      return this.webhooks.comesFirst(task) ? this.#endFirst(task) : task
    })
  }

  /** Waits for receivers, but no longer than the simulator's `patience` of real time. */
  patiently(work: Promise<unknown>): Promise<void> {
    return this.#time.patiently(work)
  }

  /** Waits on the simulator's clock; a reset ends the wait. */
  pause(milliseconds: number): Promise<void> {
    return this.#time.pause(milliseconds)
  }

  /**
   * Listens to what happens.
   * @returns a function that ends it
   */
  on<Name extends keyof SimulatorEvents>(name: Name, listener: SimulatorEvents[Name]): () => void {
    return this.#events.on(name, listener)
  }

  /** Tells the listeners that something happened. */
  emit<Name extends keyof SimulatorEvents>(name: Name, ...args: Parameters<SimulatorEvents[Name]>): void {
    this.#events.emit(name, ...args)
  }

  /**
   * Lets everything happen that is due by now, as every request does before it is answered.
   * @returns undefined where nothing was left to wait for
   */
  catchUp(): Promise<void> | undefined {
    return this.#time.timeline.catchUp()
  }

  /** A name for the next request, unique in this simulator. */
  nextRequestId(): string {
    this.#requests += 1
    return `req_${this.#requests.toString(36).padStart(8, '0')}`
  }

  /** What the client under test did wrong until now, the worst first, as far as the journal tells. */
  async findings(): Promise<readonly Finding[]> {
    return (await this.verdict()).findings
  }

  /**
   * What is to be said of the client under test: what it did wrong, and which rules could be applied at all.
   * @param options `final`: whether the client will send nothing more, so that what it has not done counts at once
   */
  async verdict(options: { final?: boolean } = {}): Promise<Verdict> {
    const file = this.caseFile(options)
    const { judgeClient } = await import('./inspect/findings/verdict.js')
    return judgeClient(file)
  }

  /**
   * What verdicts are drawn from, as it stands now.
   * @param options `final`: whether the client will send nothing more
   */
  caseFile({ final = false }: { final?: boolean } = {}): CaseFile {
    return {
      entries: this.journal.entries(),
      now: this.#time.clock.now(),
      settings: this.#scenario.findings,
      final,
      isManual: this.clock.mode === 'manual',
    }
  }

  /**
   * Tells what cannot be seen from outside the client, for the findings.
   * @example
   * sim.observe('webhook.processed', { taskId })
   */
  observe(what: Observable, details: ObservedDetails): void {
    this.#events.emit('client.observed', { what, ...details }, this.#time.clock.now())
  }

  /** Resolves when all that is due has happened and no webhook attempt is in flight. */
  settled(): Promise<void> {
    return this.clock.settled()
  }

  /**
   * Goes back to the state after the start: the first scenario, no tasks, the clock and all draws from the
   * beginning. Deliveries in flight are abandoned. The listeners stay.
   */
  async reset(): Promise<void> {
    this.#events.emit('reset.begins')
    this.#halt()
    this.#requests = 0
    this.#time.clock.restart()
    // The scenario changes in the same moment, so that a task which is created meanwhile is planned by the first.
    const cleared = this.tasks.clear()
    this.journal.clear()
    this.tally.clear()
    this.webhooks.receivers.reset()
    this.#enforce(this.#first)
    this.#events.emit('control.used', 'reset', this.#time.clock.now())
    await cleared
    await this.catchUp()
  }

  /** Stops everything that would still happen. A closed simulator still answers, but time does nothing in it. */
  close(): void {
    this.#halt()
    this.sandboxes.clear()
    this.journal.close()
    this.tasks.close()
    this.files.close()
    this.webhooks.log.close()
    this.#requestPolicy.close()
    this.#room.close()
    this.#time.clock.setSpeed(0)
  }

  async #endFirst(task: Task): Promise<Task> {
    await this.tasks.finish(task.id)
    await this.patiently(this.webhooks.tried(task.id))
    return task
  }

  #halt(): void {
    this.#time.halt()
    this.webhooks.clear()
  }

  /** @param before what was in force till then, where anything of it is to go on */
  #enforce(scenario: Scenario, before?: RequestPolicy): void {
    this.#scenario = this.#settle(scenario)
    this.#requestPolicy.close()
    this.#requestPolicy = new RequestPolicy(
      this.#scenario,
      this.#chance,
      this.#time.clock.now(),
      this.memory,
      before,
    )
    this.tasks.planner = new Planner(this.#scenario)
    this.#capacity.configure(this.#scenario.capacity)
    this.#time.timeline.at(this.#time.clock.now(), (at) => this.tasks.fill(at))
    this.webhooks.configure(this.#dispatchRules())
  }

  #dispatchRules(): DispatchRules {
    const { webhooks } = this.#scenario
    const policy = this.#requestPolicy
    return {
      settings: webhooks,
      faults: new WebhookFaultRules(webhooks.faults, this.#chance.child('webhook faults')),
      since: (now) => policy.since(now),
    }
  }

  #settle(scenario: Scenario): Scenario {
    const { webhookSecret } = this.#settings
    if (webhookSecret === undefined) return scenario
    return { ...scenario, webhooks: { ...scenario.webhooks, secret: webhookSecret } }
  }

  readonly #report = (error: unknown): void => {
    this.#events.emit('error', error)
  }
}
