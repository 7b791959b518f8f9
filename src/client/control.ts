import type {
  FindingShape,
  NewSandbox,
  Observation,
  OverviewShape,
  SandboxShape,
  StateShape,
  VerdictShape,
} from '../control/shapes.js'
import { type Call, search, segment } from './call.js'
import { type ClockControl, clockControl } from './resources/clock.js'
import { type DialectsControl, dialectsControl } from './resources/dialects.js'
import { type JournalControl, journalControl } from './resources/journal.js'
import { type ScenarioControl, scenarioControl } from './resources/scenario.js'
import { type TasksControl, tasksControl } from './resources/tasks.js'
import {
  type DeliveriesControl,
  deliveriesControl,
  type ReceiversControl,
  receiversControl,
  type WebhooksControl,
  webhooksControl,
} from './resources/webhooks.js'

/** A client of the control API of a simulator, in this process or another. */
export class Control {
  readonly #call: Call

  constructor(call: Call) {
    this.#call = call
    this.clock = clockControl(call)
    this.tasks = tasksControl(call)
    this.scenario = scenarioControl(call)
    this.receivers = receiversControl(call)
    this.deliveries = deliveriesControl(call)
    this.dialects = dialectsControl(call)
    this.webhooks = webhooksControl(call)
    this.journal = journalControl(call)
  }

  /** Reads the scenario, the clock and the counts. */
  state(): Promise<StateShape> {
    return this.#call('GET', '/state')
  }

  /** Reads the metrics in the text format of Prometheus. */
  metrics(): Promise<string> {
    return this.#call('GET', '/metrics')
  }

  /** Reads what the tasks cost over time, the limits on running tasks, and the failing receivers. */
  overview(): Promise<OverviewShape> {
    return this.#call('GET', '/overview')
  }

  /**
   * Reads the mistakes of the client under test, and the result of every rule.
   * @param query `final`: whether the client has sent its last request, so that omissions count too; `task`: the id of
   * a task, to count only mistakes with this task
   */
  verdict(query: { final?: boolean; task?: string } = {}): Promise<VerdictShape> {
    return this.#call('GET', `/findings${search(query)}`)
  }

  /** Reads the mistakes of the client under test, the most severe first. @param query that of {@link verdict} */
  async findings(query: { final?: boolean; task?: string } = {}): Promise<readonly FindingShape[]> {
    return (await this.verdict(query)).findings
  }

  /** Writes a Vitest file that fails if a client makes the mistake of a rule, such as `polls-too-fast`. */
  async findingTest(rule: string): Promise<string> {
    return this.#call('GET', `/findings/${segment(rule)}/test`)
  }

  /** Reports an action of the client that the simulator cannot observe, such as processing a webhook. */
  async observe(what: Observation['what'], about: Omit<Observation, 'what'>): Promise<void> {
    await this.#call('POST', '/observations', { what, ...about })
  }

  /**
   * Returns the whole state as the text of a file, from which a simulator can continue. It contains API keys and secrets.
   */
  exportState(): Promise<string> {
    return this.#call('GET', '/state.jsonl')
  }

  /**
   * Replaces the whole state. An invalid text changes nothing.
   * @param text a result of `exportState`, or the content of a file that `tasksim export` has written
   * @throws ControlError 400 with the invalid line; 409 if the state has another seed, or the simulator has a ledger
   */
  importState(text: string): Promise<StateShape> {
    return this.#call('PUT', '/state.jsonl', text)
  }

  /** Resets the simulator to its initial state. */
  async reset(): Promise<void> {
    await this.#call('POST', '/reset', {})
  }

  /** The clock. */
  readonly clock: ClockControl

  /** The tasks of all API keys. */
  readonly tasks: TasksControl

  /** The active scenario, which defines the behavior of the service. */
  readonly scenario: ScenarioControl

  /** The receivers of the webhooks of all tasks. */
  readonly receivers: ReceiversControl

  /** The webhooks that were sent. */
  readonly deliveries: DeliveriesControl

  /** The wire formats that the simulator speaks. */
  readonly dialects: DialectsControl

  /** Webhooks without a task. */
  readonly webhooks: WebhooksControl

  /** The record of events. */
  readonly journal: JournalControl

  /** Isolated simulators in the same server, each with its own API key. */
  readonly sandboxes = {
    /** Creates a sandbox. */
    create: (options: NewSandbox = {}) => this.#call<SandboxShape>('POST', '/sandboxes', options),
    /** Lists all sandboxes. */
    list: async () => (await this.#call<{ data: SandboxShape[] }>('GET', '/sandboxes')).data,
    /** Reads a sandbox. */
    get: async (id: string) => this.#call<SandboxShape>('GET', `/sandboxes/${segment(id)}`),
    /** Deletes a sandbox and everything in it. */
    delete: async (id: string) => this.#call<SandboxShape>('DELETE', `/sandboxes/${segment(id)}`),
    /** A client of the control API of a sandbox. */
    control: (id: string) =>
      new Control(async (method, path, body) => this.#call(method, `/sandboxes/${segment(id)}${path}`, body)),
  }
}
