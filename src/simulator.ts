import { Files } from './core/asset/files.js'
import { Outputs } from './core/asset/outputs.js'
import type { Renderer } from './core/asset/renderer.js'
import { createEvents, type SimulatorEvents } from './core/events.js'
import { Chance } from './core/random.js'
import { shippedScenario } from './core/scenario/assemble.js'
import type { Scenario } from './core/scenario/scenario.js'
import { Capacity } from './core/task/capacity.js'
import { Engine } from './core/task/engine.js'
import { MemoryStore } from './core/task/memory-store.js'
import { Planner } from './core/task/planner.js'
import type { TaskStore } from './core/task/store.js'
import { ClockControl } from './core/time/clock-control.js'
import { type Duration, toMilliseconds } from './core/time/durations.js'
import { InFlight } from './core/time/in-flight.js'
import { Timeline } from './core/time/timeline.js'
import { VirtualClock } from './core/time/virtual-clock.js'
import { Dispatcher, type Receiver } from './core/webhook/dispatcher.js'
import { fetchTransport, type Transport } from './core/webhook/transport.js'
import { createMediaRenderer } from './media/media-renderer.js'

/** What a simulator is made of, apart from its scenario; each port has its default. */
export interface SimulatorSettings {
  /** The scenario's own, unless given. */
  readonly seed?: string | number
  /** `real` (the default) runs with the machine's time; `manual` stands still until it is advanced. */
  readonly clock?: 'real' | 'manual'
  /** How many seconds of service pass in a real second; 1 unless given. */
  readonly speed?: number
  /** The instant at which a manual clock starts, 2026-01-01T00:00:00Z unless given. */
  readonly start?: Date | string | number
  /** Who gets the webhooks of every task, beside the receivers that the scenario names. */
  readonly receivers?: readonly Receiver[]
  /** The webhook signing secret, before the scenario's. */
  readonly webhookSecret?: string
  /** What output URLs start with, where that is not the origin by which a client reached the API. */
  readonly publicUrl?: string
  /** How much real time an advance of the clock gives a receiver to answer; 1s unless given. */
  readonly patience?: Duration
  readonly store?: TaskStore
  readonly transport?: Transport
  readonly renderer?: Renderer
}

const MANUAL_START = '2026-01-01T00:00:00.000Z'

/** The simulated service: one engine behind whatever host serves it. */
export class Simulator {
  /** Turns time. */
  readonly clock: ClockControl
  /** Makes tasks and keeps them. */
  readonly tasks: Engine
  /** Hands out what tasks have made. */
  readonly outputs: Outputs
  /** Makes and keeps the files behind the output URLs. */
  readonly files: Files
  readonly seed: string
  readonly #settings: SimulatorSettings
  readonly #events = createEvents()
  readonly #clock: VirtualClock
  readonly #timeline: Timeline
  readonly #inFlight = new InFlight()
  readonly #capacity: Capacity
  readonly #webhooks: Dispatcher
  /** What a reset goes back to. */
  #first: Scenario
  #scenario: Scenario
  #requests = 0

  constructor(scenario: Scenario, settings: SimulatorSettings = {}) {
    this.#settings = settings
    this.#first = scenario
    this.#scenario = this.#settle(scenario)
    this.seed = String(settings.seed ?? scenario.seed)
    this.files = new Files(settings.renderer ?? createMediaRenderer())
    this.#clock = clockFor(settings)
    this.#timeline = new Timeline(this.#clock, this.#report)
    this.clock = new ClockControl(
      this.#clock,
      this.#timeline,
      this.#inFlight,
      toMilliseconds(settings.patience ?? '1s'),
    )
    this.outputs = new Outputs(`files\0${this.seed}`, () => this.#scenario.outputs)
    this.#capacity = new Capacity(this.#scenario.capacity)
    this.tasks = new Engine({
      clock: this.#clock,
      timeline: this.#timeline,
      store: settings.store ?? new MemoryStore(),
      events: this.#events,
      chance: Chance.of(`${this.seed}\0default`),
      capacity: this.#capacity,
      planner: new Planner(this.#scenario),
    })
    this.#webhooks = new Dispatcher(
      {
        clock: this.#clock,
        timeline: this.#timeline,
        inFlight: this.#inFlight,
        events: this.#events,
        transport: settings.transport ?? fetchTransport,
        outputOf: (task) => this.outputs.of(task, task.origin, task.completedAt ?? this.#clock.now()),
      },
      this.#scenario.webhooks,
      this.#receivers(),
    )
    this.#events.on('task.finished', (task) => this.#webhooks.announce(task))
  }

  /** The scenario by which new tasks are planned, options of this simulator included. */
  get scenario(): Scenario {
    return this.#scenario
  }

  /** What output URLs start with for a client that reached the API under `origin`. */
  publicOrigin(origin: string): string {
    return this.#settings.publicUrl?.replace(/\/+$/, '') ?? origin
  }

  /**
   * Plans all further tasks by another scenario. Tasks that exist keep their plans; the seed stays.
   * @param scenario the name of a shipped one, or one of `defineScenario` or `parseScenario`
   * @param options.keep whether it also stays in force over a reset, which otherwise brings back the first one
   * @throws UsageError where none of the name is shipped
   */
  useScenario(scenario: Scenario | string, { keep = false }: { keep?: boolean } = {}): void {
    const whole = typeof scenario === 'string' ? shippedScenario(scenario) : scenario
    if (keep) this.#first = whole
    this.#scenario = this.#settle(whole)
    this.tasks.planner = new Planner(this.#scenario)
    this.#capacity.configure(this.#scenario.capacity)
    this.#timeline.at(this.#clock.now(), (at) => this.tasks.fill(at))
    this.#webhooks.configure(this.#scenario.webhooks, this.#receivers())
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
    return this.#timeline.catchUp()
  }

  /** A name for the next request, unique in this simulator. */
  nextRequestId(): string {
    this.#requests += 1
    return `req_${this.#requests.toString(36).padStart(8, '0')}`
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
    this.#halt()
    this.#requests = 0
    this.#clock.restart()
    // The scenario changes in the same moment, so that a task which is created meanwhile is planned by the first.
    const cleared = this.tasks.clear()
    this.useScenario(this.#first)
    await cleared
    await this.catchUp()
  }

  /** Stops everything that would still happen. A closed simulator still answers, but time does nothing in it. */
  close(): void {
    this.#halt()
    this.#clock.setSpeed(0)
  }

  #halt(): void {
    this.clock.stop()
    this.#timeline.clear()
    this.#webhooks.clear()
    this.#inFlight.clear()
  }

  #settle(scenario: Scenario): Scenario {
    const { webhookSecret } = this.#settings
    if (webhookSecret === undefined) return scenario
    return { ...scenario, webhooks: { ...scenario.webhooks, secret: webhookSecret } }
  }

  #receivers(): Receiver[] {
    const given = this.#settings.receivers ?? []
    const named = new Set(this.#scenario.webhooks.receivers)
    for (const { url } of given) named.delete(url)
    return [...[...named].map((url) => ({ url })), ...given]
  }

  readonly #report = (error: unknown): void => {
    this.#events.emit('error', error)
  }
}

function clockFor({ clock = 'real', speed = 1, start = MANUAL_START }: SimulatorSettings): VirtualClock {
  return clock === 'manual' ? new VirtualClock(0, new Date(start).getTime()) : new VirtualClock(speed)
}
